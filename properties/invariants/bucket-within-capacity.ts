// The level of a bucket, as it lies in the store, is never negative and never above its capacity.

import type { Invariant } from './invariant.ts';

export const bucketWithinCapacity: Invariant = {
  name: 'bucket-within-capacity',
  sentence: 'Every stored level lies between zero and the capacity, fraction included.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'script-executed': ({ atUs }) => {
      const { execution } = oracle;
      if (execution === undefined || execution.change.after === execution.change.before) return;
      const { stored, bucket, change, isUnreadable } = execution;
      if (change.after === undefined) return;
      evaluated();
      if (isUnreadable || stored === undefined) {
        violate(`What the store holds of ${bucket.id} is not a state.`, atUs);
        return;
      }
      const { level, remainder, den, capacity } = stored;
      const capacityMicrotokens = capacity * 1_000_000;
      const isFraction = remainder < den;
      const isBelow = level < capacityMicrotokens && isFraction;
      if (!isBelow && !(level === capacityMicrotokens && remainder === 0)) {
        violate(
          `${bucket.id} holds ${level} ${remainder}/${den} microtokens of ${capacityMicrotokens}.`,
          atUs,
        );
      }
    },
  }),
};
