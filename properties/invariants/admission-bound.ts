// What a limit promises to what it protects. Over any interval [s, t] of true time, one bucket admits
// at most capacity + rate·(t − s) tokens; the store counts whole milliseconds, which adds rate·1 ms.
// Allowed on top is exactly what happened in the interval: a store that lost its data gives one
// capacity, a store clock that gained gives min(capacity, rate × gain), a raised limit its difference.

import type { Invariant } from './invariant.ts';

export const admissionBound: Invariant = {
  name: 'admission-bound',
  sentence:
    'In any interval a bucket admits at most capacity + rate × its length, plus 1 ms of rate.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => {
    oracle.admissions.onAdmission = (bucket, operation, holds) => {
      evaluated();
      if (holds) return;
      const { observedTokens, boundTokens, intervalStartUs } = bucket.bound;
      const atUs = operation.execution?.atUs ?? operation.settledUs;
      violate(
        `${bucket.id} admitted ${observedTokens} tokens within ` +
          `${(atUs - intervalStartUs) / 1000} ms, the bound is ${boundTokens.toFixed(6)}.`,
        atUs,
      );
    };
    return {
      'run-ended': () => {
        for (const bucket of oracle.buckets.all()) oracle.admissions.flush(bucket);
      },
    };
  },
};
