// What the limiter protects sees a request only after the limiter allowed it, and once.

import type { Invariant } from './invariant.ts';

export const upstreamOnlyAfterAllow: Invariant = {
  name: 'upstream-only-after-allow',
  sentence: 'A request reaches the upstream once at most, and only after its check allowed it.',
  scope: 'world',
  create: ({ oracle, evaluated, violate }) => ({
    upstream: (event) => {
      evaluated();
      const { operation } = oracle;
      if (operation?.outcome?.allowed !== true) {
        violate(`Operation ${event.operation} reached the upstream without a yes.`, event.atUs);
      } else if (!operation.answeredAllowed) {
        violate(`Operation ${event.operation} reached the upstream after a no.`, event.atUs);
      } else if (operation.upstreams > 1) {
        violate(`Operation ${event.operation} reached the upstream twice.`, event.atUs);
      }
    },
  }),
};
