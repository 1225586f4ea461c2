import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fault, type Scenario, scenarioSchema } from '../../sim/scenario/scenario.ts';
import { materialise } from '../../sim/workload/materialise.ts';
import { drawScenario, scenarioArbitrary } from './scenario.ts';

const seeds = Array.from({ length: 500 }, (_, index) => index + 1);
const scenarios = seeds.map((seed) => drawScenario(seed));

describe('drawScenario', () => {
  it('draws plain data that the schema accepts and JSON keeps', () => {
    for (const scenario of scenarios) {
      expect(scenarioSchema.safeParse(scenario).error).toBeUndefined();
      expect(JSON.parse(JSON.stringify(scenario))).toEqual(scenario);
    }
  });

  it('draws the same scenario for the same seed, and another for another', () => {
    expect(drawScenario(7)).toEqual(scenarios[6]);
    expect(new Set(scenarios.map((scenario) => JSON.stringify(scenario))).size).toBe(500);
    expect(drawScenario(2 ** 40 + 7).topology).not.toEqual(scenarios[6]?.topology);
  });

  it('gives the median scenario 500 requests, 60 simulated seconds and 3 faults at least', () => {
    expect(median(scenarios.map((scenario) => requestsOf(scenario).length))).toBeGreaterThan(500);
    expect(median(scenarios.map(simulatedMs))).toBeGreaterThanOrEqual(60_000);
    expect(median(scenarios.map((scenario) => scenario.faults.length))).toBeGreaterThanOrEqual(3);
  });

  it('heals every fault before the last quarter of the traffic', () => {
    for (const { faults, workload } of scenarios) {
      if (workload.kind !== 'streams') continue;
      const loggedMs = (workload.requests?.at(-1)?.atUs ?? 0) / 1000;
      const lastMs = Math.max(loggedMs, ...workload.streams.map((stream) => stream.endMs));
      for (const fault of faults) expect(endMs(fault)).toBeLessThanOrEqual(lastMs * 0.75 + 1);
    }
  });

  it('aims faults only at hosts that exist', () => {
    for (const { faults, topology } of scenarios) {
      const names = new Set(['redis']);
      for (let index = 0; index < topology.replicas; index += 1) names.add(`replica-${index}`);
      for (let index = 0; index < topology.gateways; index += 1) names.add(`gateway-${index}`);
      for (const fault of faults) {
        for (const field of ['host', 'from', 'to'] as const) {
          if (field in fault) expect(names).toContain(Reflect.get(fault, field));
        }
      }
      for (const name of Object.keys(topology.clockOffsetsMs)) expect(names).toContain(name);
    }
  });

  it('draws every kind of fault and stream in one seed of fifty at least', () => {
    const faultKinds = countKinds(scenarios.map(({ faults }) => faults));
    expect(faultKinds.size).toBe(15);
    const streamKinds = countKinds(
      scenarios.map(({ workload }) => (workload.kind === 'streams' ? workload.streams : [])),
    );
    expect(streamKinds.size).toBe(6);
    for (const [kind, count] of [...faultKinds, ...streamKinds]) {
      expect(`${kind} ${count >= 10}`).toBe(`${kind} true`);
    }
  });

  it('keeps to given policies and to the order of given requests', () => {
    const policies = { limits: [{ id: 'only', key: ['tenant'], rate: '5/s' }] };
    const log = materialise(
      {
        kind: 'streams',
        streams: [
          {
            kind: 'poisson',
            id: 1,
            limit: 'only',
            startMs: 0,
            endMs: 3_600_000,
            tenants: 3,
            users: 1,
            cost: { min: 1, max: 1 },
            ratePerSecond: 1,
          },
        ],
      },
      policies,
      1,
    ).map((request, index) => ({ ...request, id: index + 1 }));
    const counts = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
      const scenario = drawScenario(seed, { policies, requests: log, requestsAtMost: 200 });
      expect(scenario.policies).toEqual(policies);
      const requests = requestsOf(scenario);
      const ids = requests.map((request) => request.id).filter((id) => id < 1_000_000);
      expect(ids).toEqual([...ids].sort((one, other) => one - other));
      expect(requests.at(-1)?.atUs).toBeLessThanOrEqual(2 * 3_600_000_000);
      return { logged: ids.length, drawn: requests.length - ids.length };
    });
    // Some are of the log alone, the others half of it.
    expect(counts).toContainEqual({ logged: 200, drawn: 0 });
    expect(counts.some(({ logged, drawn }) => logged === 100 && drawn > 0)).toBe(true);
  });
});

describe('scenarioArbitrary', () => {
  it('shrinks to a scenario with one stream and no fault when neither matters', () => {
    const failure = fc.check(
      fc.property(scenarioArbitrary(), (scenario) => scenario.topology.replicas < 2),
      { seed: 1, numRuns: 50 },
    );
    const scenario = failure.counterexample?.[0];
    expect(scenario?.faults).toEqual([]);
    expect(scenario?.topology.replicas).toBe(2);
  });
});

function requestsOf(scenario: Scenario): ReturnType<typeof materialise> {
  return materialise(scenario.workload, scenario.policies, scenario.seed);
}

function endMs(fault: Fault): number {
  return fault.atMs + ('durationMs' in fault ? fault.durationMs : 0);
}

function simulatedMs(scenario: Scenario): number {
  const lastMs = (requestsOf(scenario).at(-1)?.atUs ?? 0) / 1000;
  return Math.max(lastMs, ...scenario.faults.map(endMs)) + scenario.knobs.settleMs;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** In how many scenarios each kind occurs. */
function countKinds(lists: readonly (readonly { readonly kind: string }[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) {
    for (const kind of new Set(list.map((item) => item.kind))) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return counts;
}
