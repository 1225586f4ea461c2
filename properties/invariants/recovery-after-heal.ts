// Trouble passes. A stated time after the last fault on the way to the store has healed, every check is
// answered by the store again (unless the store itself is slower than the deadline).

import { findUnexcused, isUntroubled, RECOVERY_MS } from '../oracle/availability.ts';
import type { Invariant } from './invariant.ts';

export const recoveryAfterHeal: Invariant = {
  name: 'recovery-after-heal',
  sentence: `From ${RECOVERY_MS / 1000} s after the last trouble every check is answered by the store.`,
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'check-settled': ({ atUs, error }) => {
      const { operation } = oracle;
      if (operation?.bucket === undefined) return;
      if (!isUntroubled(oracle, operation, RECOVERY_MS)) return;
      evaluated();
      const { id, outcome, host } = operation;
      if (outcome !== undefined && outcome.reason !== 'store-unavailable') return;
      const unexcused = findUnexcused(oracle, operation);
      if (unexcused === undefined) return;
      const what = error ?? outcome?.reason;
      violate(`${host?.name} has not recovered: operation ${id} (${what}) ${unexcused}.`, atUs);
    },
  }),
};
