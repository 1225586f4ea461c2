// Two buckets never share a key: not by descriptors that are joined to the same text, nor by a period
// that changes while the key stays. (Several keys for one bucket are found by conservation.)

import type { Invariant } from './invariant.ts';

export const bucketHasOwnKey: Invariant = {
  name: 'bucket-has-own-key',
  sentence: 'No two buckets share a key.',
  create: ({ oracle, evaluated, violate }) => ({
    'script-executed': ({ atUs }) => {
      const { execution } = oracle;
      if (execution === undefined) return;
      evaluated();
      const { bucket, change } = execution;
      if (bucket.sharesKeyWith !== undefined) {
        violate(`${bucket.id} and ${bucket.sharesKeyWith} share the key ${change.key}.`, atUs);
      }
    },
  }),
};
