// Relational properties: two runs of scenarios that differ in one thing which must not matter,
// compared decision for decision. They run on the `direct` transport with a store that takes no time,
// and on links without a tail, so that no queue carries one client's load into another's timing.

import type { Latency, Request, Scenario } from '../../sim/scenario/scenario.ts';

/** A pair of scenarios and the operations whose decisions must be the same in both. */
export interface ScenarioPair {
  readonly left: Scenario;
  readonly right: Scenario;
  /** Which of the left run's requests are compared. */
  readonly compared: (request: Request) => boolean;
}

export interface Relation {
  readonly name: string;
  readonly sentence: string;
  /** Makes the pair from any scenario; the draws depend on nothing but the scenario. */
  readonly pair: (scenario: Scenario, requests: readonly Request[]) => ScenarioPair;
}

/** Who asks first; nobody else is called so. The highest id a request can have. */
const warmUp = { tenant: 'weir warm-up', id: 0x1ff_ffff };
const warmUpUs = 1_000_000;

/**
 * The scenario as relations use it: the given requests, no faults but those on the given list, a
 * store without service time, and clients that do not come back. One request before all others
 * brings the script to the store, or whoever comes first would wait longer than the rest.
 */
export function prepareScenario(
  scenario: Scenario,
  requests: readonly Request[],
  faults: Scenario['faults'] = [],
): Scenario {
  return {
    ...scenario,
    topology: {
      ...scenario.topology,
      gatewayLink: evenLatency(scenario.topology.gatewayLink),
      storeLink: evenLatency(scenario.topology.storeLink),
      scriptUs: 0,
      commandUs: 0,
    },
    workload: { kind: 'requests', requests: addWarmUp(requests) },
    faults: faults.map((fault) => ({ ...fault, atMs: fault.atMs + warmUpUs / 1000 })),
  };
}

function addWarmUp(requests: readonly Request[]): Request[] {
  const [first] = requests;
  if (first === undefined) return [];
  const { retry: _, ...template } = first;
  return [
    { ...template, ...warmUp, atUs: 0 },
    ...requests.map(({ retry: __, ...request }) => ({ ...request, atUs: request.atUs + warmUpUs })),
  ];
}

/** Without a tail no message waits behind another one of its connection. */
function evenLatency(latency: Latency): Latency {
  return { ...latency, tailUs: 0 };
}
