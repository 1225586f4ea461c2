// The machines of a scenario: how many gateways and replicas, how far apart, how fast the store is
// and how wrong the clocks are when the run starts.

import * as fc from 'fast-check';
import type { Latency, Scenario } from '../../sim/scenario/scenario.ts';
import { anyIndex, logInteger, pick, weighted } from './draws.ts';

type Topology = Scenario['topology'];

const hostCount = weighted([1, 1], [1, 2], [6, 3], [1, 4], [1, 5]);

const latencyArbitrary: fc.Arbitrary<Latency> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ minUs: 0, tailUs: 0 }) },
  { weight: 8, arbitrary: fc.record({ minUs: logInteger(50, 1000), tailUs: logInteger(1, 1000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ minUs: logInteger(1000, 8000), tailUs: logInteger(100, 8000) }),
  },
);

/** Microseconds of the store's thread. One seed in ten has a store so slow that it queues. */
const scriptUs = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 8, arbitrary: logInteger(5, 100) },
  { weight: 1, arbitrary: logInteger(100, 2000) },
);

/** Seconds apart, days apart, or decades: a store that once lived in 2099. */
const offsetMs = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -2000, max: 2000 }) },
  { weight: 2, arbitrary: fc.integer({ min: -86_400_000, max: 86_400_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1_000_000_000_000, 2_300_000_000_000) },
);

const skewArbitrary = fc.array(fc.record({ host: anyIndex, offsetMs }), {
  maxLength: 4,
  size: 'max',
});

export const topologyArbitrary: fc.Arbitrary<Topology> = fc
  .record({
    gateways: hostCount,
    replicas: hostCount,
    skew: fc.oneof(fc.constant([]), skewArbitrary),
    gatewayLink: latencyArbitrary,
    storeLink: latencyArbitrary,
    scriptUs,
    commandUs: fc.integer({ min: 0, max: 10 }),
  })
  .map(({ skew, ...rest }) => {
    const hosts = clockHosts(rest.gateways, rest.replicas);
    const clockOffsetsMs: Record<string, number> = {};
    for (const { host, offsetMs: ms } of skew) clockOffsetsMs[pick(hosts, host)] = ms;
    return { ...rest, clockOffsetsMs };
  });

/** Hosts whose clock matters; the store is named as often as all replicas together. */
function clockHosts(gateways: number, replicas: number): string[] {
  const names = Array.from({ length: replicas }, (_, index) => `replica-${index}`);
  return [...names, ...names.map(() => 'redis'), ...hostNames('gateway', gateways)];
}

/** `gateway-0`, `gateway-1`, … */
export function hostNames(role: 'gateway' | 'replica', count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${role}-${index}`);
}
