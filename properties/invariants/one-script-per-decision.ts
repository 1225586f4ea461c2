// One round trip: a decision sends one script, and one more for each reply that the store does not know
// the script (NOSCRIPT). What no limit concerns, or a limit of zero refuses, sends none.

import type { Invariant } from './invariant.ts';

export const oneScriptPerDecision: Invariant = {
  name: 'one-script-per-decision',
  sentence: 'A decision sends at most one script, plus one after each NOSCRIPT.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'script-sent': ({ atUs }) => {
      const { operation } = oracle;
      if (operation === undefined || operation.startedUs < 0) return;
      evaluated();
      const { id, scriptsSent, scriptsUnknown, bucket } = operation;
      const scriptsMax = bucket === undefined ? 0 : 1 + scriptsUnknown;
      if (scriptsSent > scriptsMax) {
        violate(`Operation ${id} sent ${scriptsSent} scripts where ${scriptsMax} had to do.`, atUs);
      }
    },
  }),
};
