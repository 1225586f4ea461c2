// Two buckets never share a key: not by descriptors that are joined to the same text, nor by a period
// that changes while the key stays. And a bucket keeps its key, whoever decides and whatever rate or
// burst the policy comes to have; else a restart with another limit would hand out a full bucket.

import type { Invariant } from './invariant.ts';

export const bucketHasOwnKey: Invariant = {
  name: 'bucket-has-own-key',
  sentence: 'A bucket has one key, and no other bucket has it.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'script-executed': ({ atUs }) => {
      const { execution } = oracle;
      if (execution === undefined) return;
      evaluated();
      const { bucket, change } = execution;
      if (bucket.sharesKeyWith !== undefined) {
        violate(`${bucket.id} and ${bucket.sharesKeyWith} share the key ${change.key}.`, atUs);
      }
      if (bucket.formerKey !== undefined) {
        violate(`${bucket.id} went from key ${bucket.formerKey} to ${change.key}.`, atUs);
      }
    },
  }),
};
