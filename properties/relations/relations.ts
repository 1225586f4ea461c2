// The relations: what another tenant, a name, a clock or a number of replicas must not change.

import type { Request, Scenario } from '../../sim/scenario/scenario.ts';
import { prepareScenario, type Relation } from './relation.ts';

/** Requests past this many per run add time and no insight. */
const requestsAtMost = 400;

/** Another tenant's load changes nothing for this one. */
const otherTenantLoad: Relation = {
  name: 'other-tenants-change-nothing',
  sentence: 'A tenant gets the same decisions whether or not other tenants send requests.',
  pair: (scenario, requests) => {
    const chosen = requests.slice(0, requestsAtMost);
    const tenant = mostFrequentTenant(chosen);
    const own = chosen.filter((request) => request.tenant === tenant);
    return {
      left: prepareScenario(scenario, chosen),
      right: prepareScenario(scenario, own),
      compared: (request) => request.tenant === tenant,
    };
  },
};

/** Names carry no meaning: renaming every tenant changes no decision. */
const renamedTenants: Relation = {
  name: 'tenant-names-change-nothing',
  sentence: 'Renaming every tenant, to names full of separators, changes no decision.',
  pair: (scenario, requests) => {
    const chosen = requests.slice(0, requestsAtMost);
    const renamed = chosen.map((request) => ({ ...request, tenant: rename(request.tenant) }));
    return {
      left: prepareScenario(scenario, chosen),
      right: prepareScenario(scenario, renamed),
      compared: () => true,
    };
  },
};

/** No decision reads a clock but the store's. */
const skewedClocks: Relation = {
  name: 'client-clocks-change-nothing',
  sentence: 'Offsets and steps of every clock but the store’s change no decision.',
  pair: (scenario, requests) => {
    const chosen = requests.slice(0, requestsAtMost);
    const left = prepareScenario(scenario, chosen);
    return {
      left: { ...left, topology: { ...left.topology, clockOffsetsMs: {} } },
      right: {
        ...left,
        topology: { ...left.topology, clockOffsetsMs: skewedOffsets(scenario) },
        faults: clockSteps(scenario, chosen),
      },
      compared: () => true,
    };
  },
};

/** Replicas share nothing but the store: how many there are changes no decision. */
const moreReplicas: Relation = {
  name: 'more-replicas-change-nothing',
  sentence: 'Spreading the same requests over more replicas changes no decision.',
  pair: (scenario, requests) => {
    const left = prepareScenario(scenario, requests.slice(0, requestsAtMost));
    const replicas = scenario.topology.replicas + 4;
    return {
      left,
      right: { ...left, topology: { ...left.topology, replicas } },
      compared: () => true,
    };
  },
};

export const relations: readonly Relation[] = [
  otherTenantLoad,
  renamedTenants,
  skewedClocks,
  moreReplicas,
];

function mostFrequentTenant(requests: readonly Request[]): string {
  const counts = new Map<string, number>();
  let best = '';
  for (const { tenant } of requests) {
    const count = (counts.get(tenant) ?? 0) + 1;
    counts.set(tenant, count);
    if (count > (counts.get(best) ?? 0)) best = tenant;
  }
  return best;
}

/** An injective renaming into names that would collide if a key were joined without escaping. */
function rename(tenant: string): string {
  return `a:${tenant}}:{b%3A`;
}

function skewedOffsets(scenario: Scenario): Record<string, number> {
  const offsets: Record<string, number> = {};
  for (let index = 0; index < scenario.topology.replicas; index += 1) {
    // From a fraction of a second to days, in both directions.
    offsets[`replica-${index}`] = (index % 2 === 0 ? 1 : -1) * 337 * 900 ** index;
  }
  for (let index = 0; index < scenario.topology.gateways; index += 1) {
    offsets[`gateway-${index}`] = (index % 2 === 0 ? -1 : 1) * 90_000;
  }
  return offsets;
}

function clockSteps(scenario: Scenario, requests: readonly Request[]): Scenario['faults'] {
  const lastMs = Math.floor((requests.at(-1)?.atUs ?? 0) / 1000);
  return Array.from({ length: scenario.topology.replicas }, (_, index) => ({
    kind: 'clock-step' as const,
    id: index + 1,
    atMs: Math.floor((lastMs * (index + 1)) / (scenario.topology.replicas + 1)),
    host: `replica-${index}`,
    ms: index % 2 === 0 ? -3_600_000 : 7_200_000,
  }));
}
