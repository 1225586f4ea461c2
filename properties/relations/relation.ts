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

/**
 * The scenario as relations use it: the given requests, no faults but those on the given list, a
 * store without service time, and clients that do not come back.
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
    workload: { kind: 'requests', requests: requests.map(({ retry: _, ...request }) => request) },
    faults,
  };
}

/** Without a tail no message waits behind another one of its connection. */
function evenLatency(latency: Latency): Latency {
  return { ...latency, tailUs: 0 };
}
