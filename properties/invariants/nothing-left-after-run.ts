// Closing a limiter ends everything it began: no timer and no socket is left on its host.

import type { Invariant } from './invariant.ts';

export const nothingLeftAfterRun: Invariant = {
  name: 'nothing-left-after-run',
  sentence: 'After every limiter was closed no timer and no socket is left.',
  create: ({ evaluated, violate }) => ({
    'run-ended': ({ left, atUs }) => {
      evaluated();
      const [first] = left;
      if (first === undefined) return;
      const { host, what, count } = first;
      violate(`${host} still has ${count} ${what}${count === 1 ? '' : 's'} after the run.`, atUs);
    },
  }),
};
