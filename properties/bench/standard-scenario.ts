// The standard topology, on which the simulator's speed is stated: 3 gateways, 3 replicas, 1 store,
// 1 000 checks per simulated second, no faults.

import type { Request, Scenario } from '../../sim/scenario/scenario.ts';
import { exactAnswer, virtualMinute } from './fake-timers.ts';

const topology: Scenario['topology'] = {
  gateways: 3,
  replicas: 3,
  clockOffsetsMs: {},
  gatewayLink: { minUs: 150, tailUs: 100 },
  storeLink: { minUs: 100, tailUs: 50 },
  scriptUs: 10,
  commandUs: 5,
};

/** Poisson traffic on many buckets of the given number of simulated seconds. */
export function createStandardScenario(seconds: number, seed = 1): Scenario {
  return {
    format: 1,
    seed,
    policies: {
      limits: [
        { id: 'orders', match: { route: '/orders/:id' }, key: ['tenant', 'user'], rate: '100/min' },
      ],
    },
    topology,
    workload: {
      kind: 'streams',
      streams: [
        {
          kind: 'poisson',
          id: 1,
          limit: 'orders',
          startMs: 100,
          endMs: 100 + seconds * 1000,
          tenants: 50,
          users: 20,
          cost: { min: 1, max: 1 },
          ratePerSecond: 1000,
        },
      ],
    },
    faults: [],
    knobs: { deadlineMs: 100, gatewayDeadlineMs: 200, settleMs: 1000 },
  };
}

/** The case of `fake-timers.ts` for the simulator: one bucket, one check every 6 ms. */
export function createVirtualMinuteScenario(): Scenario {
  const { checks, everyMs, capacity, tokensPerSecond } = virtualMinute;
  const requests: Request[] = Array.from({ length: checks }, (_, index) => ({
    id: index + 1,
    atUs: 1_000_000 + index * everyMs * 1000,
    tenant: 'bench',
    user: 'bench',
    method: 'GET',
    path: '/',
    cost: 1,
    gateway: 0,
  }));
  return {
    format: 1,
    seed: exactAnswer,
    policies: {
      limits: [{ id: 'bench', key: ['tenant'], rate: `${tokensPerSecond}/s`, burst: capacity }],
    },
    // One replica and even latencies, so that checks reach the store exactly 6 ms apart.
    topology: {
      ...topology,
      gateways: 1,
      replicas: 1,
      gatewayLink: { minUs: 100, tailUs: 0 },
      storeLink: { minUs: 100, tailUs: 0 },
    },
    workload: { kind: 'requests', requests },
    faults: [],
    knobs: { deadlineMs: 100, gatewayDeadlineMs: 200, settleMs: 1000 },
  };
}
