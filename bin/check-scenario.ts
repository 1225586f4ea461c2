// Validates what the schema of a scenario leaves open: the policy documents in it, ids that name two
// requests or faults, and faults on machines that the scenario does not have.

import { parsePolicies } from '../impl/index.ts';
import type { Fault, Scenario } from '../sim/scenario/scenario.ts';
import { InputError } from './input-error.ts';

/** Where a scenario stands: in a file of its own, or below a path in a trace. */
export interface ScenarioPlace {
  readonly file: string;
  /** Empty, or the path that leads to the scenario, with a dot at its end. */
  readonly path: string;
}

/** @throws InputError or PolicyError naming the place */
export function checkScenario(scenario: Scenario, place: ScenarioPlace): void {
  checkPolicies(scenario.policies, place, 'policies');
  const { requests = [] } = scenario.workload;
  const path = `${place.path}workload.requests`;
  checkIds(requests, path, place.file);
  checkIds(scenario.faults, `${place.path}faults`, place.file);
  for (const [index, fault] of scenario.faults.entries()) {
    checkFault(fault, scenario.topology, {
      file: place.file,
      path: `${place.path}faults[${index}].`,
    });
  }
}

/** An id names a request or fault in every draw, so two of one id would share their fate. */
function checkIds(entries: readonly { readonly id: number }[], path: string, file: string): void {
  const seen = new Map<number, number>();
  for (const [index, { id }] of entries.entries()) {
    const first = seen.get(id);
    if (first !== undefined) {
      const expected = `an id of its own (${path}[${first}] has this one)`;
      throw new InputError({ file, path: `${path}[${index}].id`, value: id, expected });
    }
    seen.set(id, index);
  }
}

function checkFault(fault: Fault, topology: Scenario['topology'], place: ScenarioPlace): void {
  if ('host' in fault) checkHost(fault.host, 'host', topology, place);
  if ('from' in fault) {
    checkHost(fault.from, 'from', topology, place);
    checkHost(fault.to, 'to', topology, place);
  }
  if (fault.kind === 'policy-change') checkPolicies(fault.policies, place, 'policies');
}

function checkHost(
  host: string,
  field: string,
  topology: Scenario['topology'],
  { file, path }: ScenarioPlace,
): void {
  const [role, number] = host.split('-');
  if (number === undefined) return;
  const count = role === 'gateway' ? topology.gateways : topology.replicas;
  // Written as the machine is called: `replica-01` is none.
  if (Number(number) < count && String(Number(number)) === number) return;
  const expected =
    count === 1
      ? `${role}-0, the only ${role}`
      : `a ${role} from ${role}-0 to ${role}-${count - 1}`;
  throw new InputError({ file, path: `${path}${field}`, value: host, expected });
}

/** A message of the limiter's parser begins with the file it was told. */
function checkPolicies(policies: unknown, { file, path }: ScenarioPlace, field: string): void {
  parsePolicies(policies, { file: `${file}: in ${path}${field}` });
}
