// Shrinking the failure of a seed: what "still fails" means (the same invariant is broken), where to
// look first (the request that broke it), and the small scenario recorded as a run.

import type { Violation } from '../../sim/run/invariant.ts';
import { type FailureHint, shrink } from '../../sim/run/shrink.ts';
import type { Scenario } from '../../sim/scenario/scenario.ts';
import { judgeScenario, type Rig } from './judge.ts';
import { extrasNamed, type Recording, recordScenario } from './recording.ts';

/** Plain data, so that it can cross threads. */
export interface ShrinkTask {
  readonly seed: number;
  readonly invariant: string;
  /** Real time after which no further run is begun. */
  readonly milliseconds: number;
}

export interface Shrunk {
  readonly kind: 'shrunk';
  readonly recording: Recording;
  /** How many runs it took, and how long. */
  readonly runs: number;
  readonly seconds: number;
}

/** A seed that failed and, run again, did not. */
export class UnrepeatableError extends Error {
  readonly code = 'not-deterministic';

  constructor(seed: number, invariant: string) {
    super(
      `seed ${seed} broke ${invariant} and does not when run again; the subject is not ` +
        'deterministic: it keeps state outside createHost',
    );
  }
}

/**
 * Shrinks a scenario that breaks the task's invariant. The result is worth having only when its
 * recording still breaks it: materialising the workload alone can, in theory, mend a run.
 */
export async function shrinkScenarioWith(
  rig: Rig,
  scenario: Scenario,
  task: ShrinkTask,
): Promise<Shrunk> {
  const { invariant, milliseconds } = task;
  // biome-ignore lint/style/noRestrictedGlobals: the shrinker's deadline is on real time.
  // biome-ignore lint/plugin: likewise.
  const now = () => performance.now();
  const started = now();
  const recording = await recordScenario(rig, scenario, invariant);
  if (findViolation(recording.violations, invariant) === undefined) {
    throw new UnrepeatableError(task.seed, invariant);
  }
  const { scenario: smallest, runs } = await shrink(
    scenario,
    (candidate) => stillFails(rig, candidate, invariant),
    { deadlineMs: milliseconds, now, hint: hintOf(recording, invariant) },
  );
  return {
    kind: 'shrunk',
    recording: await recordScenario(rig, smallest, invariant),
    runs,
    seconds: (now() - started) / 1000,
  };
}

async function stillFails(
  rig: Rig,
  candidate: Scenario,
  invariant: string,
): Promise<false | FailureHint> {
  const { violations } = await judgeScenario(rig, candidate, extrasNamed(invariant));
  const found = findViolation(violations, invariant);
  return found === undefined ? false : { atUs: found.atUs };
}

function findViolation(violations: readonly Violation[], invariant: string): Violation | undefined {
  return violations.find((violation) => violation.invariant === invariant);
}

/** Whose request was the last to be acted on when the invariant broke. */
function hintOf({ events, violations }: Recording, invariant: string): FailureHint {
  const found = findViolation(violations, invariant);
  if (found === undefined) return {};
  let operation: number | undefined;
  const requests = new Map<number, { id: number; tenant: string; user: string }>();
  for (const event of events) {
    if (event.atUs > found.atUs) break;
    if (event.kind === 'request') requests.set(event.operation, event.request);
    if ('operation' in event && event.operation !== 0) operation = event.operation;
  }
  const request = operation === undefined ? undefined : requests.get(operation);
  if (request === undefined) return { atUs: found.atUs };
  const { id, tenant, user } = request;
  return { atUs: found.atUs, tenant, user, requestIds: [id] };
}
