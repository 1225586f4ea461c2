// What a decision says of the bucket is true at its store millisecond: `remaining` is the floor of the
// exact level in tokens, `resetMs` the time until the bucket is full, rounded up.

import { isDecidedByStore } from '../oracle.ts';
import type { Invariant } from './invariant.ts';

export const remainingAndResetTrue: Invariant = {
  name: 'remaining-and-reset-true',
  sentence: 'Remaining is the floor of the true level, reset the time until the bucket is full.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'check-settled': ({ atUs }) => {
      const { operation } = oracle;
      const { outcome, execution } = operation ?? {};
      if (outcome === undefined || execution === undefined || !isDecidedByStore(outcome)) return;
      evaluated();
      const { remaining, resetMs } = execution.decision;
      if (outcome.remaining === remaining && outcome.resetMs === resetMs) return;
      violate(
        `Operation ${operation?.id} was told ${outcome.remaining} remaining and reset in ` +
          `${outcome.resetMs} ms; true are ${remaining} and ${resetMs} ms.`,
        atUs,
      );
    },
  }),
};
