// Once a check has settled, its caller has gone on; a script sent for it now would only debit for
// nothing. So no script leaves a replica but for a check that still waits.

import type { Invariant } from './invariant.ts';

export const nothingSentAfterSettle: Invariant = {
  name: 'nothing-sent-after-settle',
  sentence: 'No script is sent but for a check that has not settled yet.',
  create: ({ oracle, evaluated, violate }) => ({
    'script-sent': ({ host, atUs }) => {
      evaluated();
      const { operation } = oracle;
      if (operation === undefined) {
        violate(`${host} sent a script that no waiting check can have asked for.`, atUs);
      } else if (operation.settlements > 0) {
        violate(`${host} sent a script for operation ${operation.id}, which has settled.`, atUs);
      }
    },
  }),
};
