// An answer belongs to the request it answers. A decision of the store comes only after this check's
// own script has run, and the gateway passes on what this check was told, once.

import type { Invariant } from './invariant.ts';

export const replyMatchesRequest: Invariant = {
  name: 'reply-matches-request',
  sentence: "Every answer is the one its own request's script gave, from store to client.",
  create: ({ oracle, evaluated, violate }) => ({
    'check-settled': ({ atUs }) => {
      const { operation } = oracle;
      const { outcome, bucket } = operation ?? {};
      if (operation === undefined || outcome === undefined || bucket === undefined) return;
      if (outcome.source !== 'store') return;
      evaluated();
      if (operation.scriptsExecuted === 0) {
        violate(
          `Operation ${operation.id} has an answer of the store before its script ran.`,
          atUs,
        );
      }
    },
    answered: ({ operation: id, allowed, by, atUs }) => {
      const { operation } = oracle;
      evaluated();
      if (operation !== undefined && operation.answers > 1) {
        violate(`Operation ${id} was answered twice.`, atUs);
      }
      const told = by === 'replica' && operation?.outcome?.allowed === true;
      if (allowed !== told) {
        violate(
          `Operation ${id} was answered ${allowed ? 'yes' : 'no'}, its check said ${told}.`,
          atUs,
        );
      }
    },
  }),
};
