// Retry-after is a promise. The same request succeeds at that store millisecond and not one earlier,
// if nothing else is admitted, the policy stays and the store's clock is undisturbed. Judged twice: the
// figure itself is the smallest wait the model finds, and when the request does come again, it is kept.

import { isDecidedByStore } from '../oracle.ts';
import type { Invariant } from './invariant.ts';

export const retryAfterKept: Invariant = {
  name: 'retry-after-kept',
  sentence: 'After its retry-after a refused request succeeds, and not a millisecond earlier.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'check-settled': ({ atUs }) => {
      const { operation } = oracle;
      const { outcome, execution } = operation ?? {};
      if (operation === undefined || outcome === undefined || execution === undefined) return;
      if (!isDecidedByStore(outcome)) return;
      const { decision, promise } = execution;
      if (promise !== undefined) {
        evaluated();
        if (outcome.allowed !== (promise === 'kept')) {
          const when = promise === 'kept' ? 'after' : 'before';
          const verdict = outcome.allowed ? 'allowed' : 'refused';
          violate(`Operation ${operation.id} was ${verdict} ${when} the promised wait.`, atUs);
        }
      }
      if (outcome.allowed) return;
      evaluated();
      if (outcome.retryAfterMs !== decision.retryAfterMs) {
        violate(
          `Operation ${operation.id} was told to wait ${outcome.retryAfterMs} ms, the smallest wait ` +
            `is ${decision.retryAfterMs} ms.`,
          atUs,
        );
      }
    },
  }),
};
