// The production limiter as a subject of the simulator: nothing in it is changed or replaced. It is
// given the real ioredis client and connects by host and port, as it would in production.

import type { Decision, PolicySet, RedisClient } from '../../impl/index.ts';
import * as production from '../../impl/index.ts';
import type { Outcome } from '../../sim/run/history.ts';
import type { Subject, SubjectHost, SubjectOptions } from '../../sim/subject.ts';
import { loadClient, loadInstalledClients } from './ioredis-clients.ts';

/** What a subject needs of the limiter's package; a mutant brings its own copy of it. */
export type LimiterModule = Pick<typeof production, 'createLimiter' | 'parsePolicies'>;

/** The production limiter, or the given build of it, under a name. */
export function createWeirSubject(
  name = 'weir',
  limiterModule: LimiterModule = production,
): Subject {
  loadInstalledClients();
  const policySets = new WeakMap<object, PolicySet>();
  const policySetOf = (document: unknown): PolicySet => {
    const known = policySets.get(Object(document));
    if (known !== undefined) return known;
    const parsed = limiterModule.parsePolicies(document, { file: 'scenario' });
    policySets.set(Object(document), parsed);
    return parsed;
  };
  return {
    name,
    sentence: 'The production limiter of this package, unmodified.',
    createHost: (options) => createHost(limiterModule, policySetOf(options.policies), options),
  };
}

function createHost(
  limiterModule: LimiterModule,
  policies: PolicySet,
  options: SubjectOptions,
): SubjectHost {
  const { deadlineMs } = options;
  const redis = createRedis(options);
  const limiter = limiterModule.createLimiter({ redis, policies, deadlineMs });
  return {
    check: ({ tenant, user, method, path, cost }) =>
      limiter.check({ tenant, user, method, route: path }, { cost }).then(toOutcome),
    close: () => limiter.close(),
  };
}

function createRedis(options: SubjectOptions): RedisClient {
  if (options.redis !== undefined) return options.redis as RedisClient;
  const Redis = loadClient(options.client);
  // The limiter works on a connection of its own; this one is never opened.
  return new Redis({ ...options.redisOptions, lazyConnect: true }) as RedisClient;
}

function toOutcome(decision: Decision): Outcome {
  return {
    allowed: decision.kind === 'allowed',
    reason: decision.reason,
    retryAfterMs: decision.retryAfterMs,
    remaining: decision.remaining,
    resetMs: decision.resetMs,
    source: decision.source,
    degraded: decision.degraded,
  };
}
