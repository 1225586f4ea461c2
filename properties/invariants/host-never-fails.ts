// Nothing that happens to the store or the network ends a limiter's process: no exception and no
// rejection is left unhandled. A limiter that takes its process down answers nobody, so this judges
// every subject, whatever it promises.

import type { Invariant } from './invariant.ts';

export const hostNeverFails: Invariant = {
  name: 'host-never-fails',
  sentence: 'No process is ended by an exception or rejection that nobody handled.',
  scope: 'world',
  create: ({ evaluated, violate }) => ({
    'host-failure': ({ host, error, atUs }) => violate(`${host} failed: ${error}`, atUs),
    'run-ended': () => evaluated(),
  }),
};
