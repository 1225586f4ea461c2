// A debit happens once: whatever becomes of connections and replies, no operation's script is run a
// second time. (A client that sends commands again after a reconnect does exactly that.)

import type { Invariant } from './invariant.ts';

export const executedOnce: Invariant = {
  name: 'executed-once',
  sentence: 'The store runs the script of an operation at most once.',
  create: ({ oracle, evaluated, violate }) => ({
    'script-executed': ({ operation: id, failed, atUs }) => {
      if (failed || id === 0) return;
      evaluated();
      // One that is finished, and so no longer known, has run its script.
      const { operation } = oracle;
      if (operation === undefined || operation.scriptsExecuted > 1) {
        violate(`The script of operation ${id} has run twice.`, atUs);
      }
    },
  }),
};
