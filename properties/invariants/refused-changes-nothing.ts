// A refused request changes no later answer, nor does one that only looks. Their script leaves the
// key's bytes as they were. Kept on a refusal is only what is no debit: that the bucket's time was
// taken back to the present, and a newer policy.

import { isDecidedByStore } from '../oracle.ts';
import type { Invariant } from './invariant.ts';

export const refusedChangesNothing: Invariant = {
  name: 'refused-changes-nothing',
  sentence: 'The script of a refused request, or of one that only looks, writes nothing.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'script-executed': ({ atUs }) => {
      const { execution } = oracle;
      if (execution === undefined || execution.decision.written) return;
      evaluated();
      const { change, operation, bucket } = execution;
      if (change.after === change.before) return;
      violate(
        `Operation ${operation.id} (cost ${operation.request.cost}) had to leave ${bucket.id} as it ` +
          'was, and wrote.',
        atUs,
      );
    },
    // The same from the other side: what was told "refused" must not have been debited.
    'check-settled': ({ atUs }) => {
      const { operation } = oracle;
      const { outcome, execution } = operation ?? {};
      if (outcome === undefined || execution === undefined || outcome.allowed) return;
      if (!isDecidedByStore(outcome) || !execution.decision.allowed) return;
      evaluated();
      if (execution.change.after === execution.change.before) return;
      violate(`Operation ${operation?.id} was refused, but ${execution.bucket.id} changed.`, atUs);
    },
  }),
};
