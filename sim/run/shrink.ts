// Makes a failing scenario small: few requests, few faults, few machines, round times. It knows
// nothing of limiters; all it has is a way to ask whether a candidate still fails, and each question
// costs a run. So large cuts come first, guided by what is known of the failure.
//
// Left out: policies keep their rates and bursts. Whoever reads the trace looks for them there.

import type { Scenario } from '../scenario/scenario.ts';
import { materialise } from '../workload/materialise.ts';
import {
  Attempts,
  type FailureHint,
  type MaterialisedScenario,
  type ShrinkStop,
  type StillFails,
} from './shrink-attempts.ts';
import { dropAllFaults, dropFaults, simplifyFaults } from './shrink-faults.ts';
import {
  cutAfterViolation,
  dropRequests,
  dropRetries,
  focusOnBucket,
  keepLastRequests,
  mergeClients,
  mergeRequests,
  simplifyRequests,
  simplifyTimes,
} from './shrink-requests.ts';
import { dropLimits, dropMachines, simplifyKnobs, simplifyTopology } from './shrink-world.ts';

export type {
  FailureHint,
  MaterialisedScenario,
  ShrinkStop,
  StillFails,
} from './shrink-attempts.ts';

export interface ShrinkProgress {
  readonly runs: number;
  readonly requests: number;
  readonly faults: number;
}

export interface ShrinkOptions {
  /** Real time after which no further run is begun, milliseconds. Default 30 000. */
  readonly deadlineMs?: number;
  /** Default 3 000. */
  readonly maxRuns?: number;
  /** A clock in milliseconds from any origin, for the deadline alone. */
  readonly now: () => number;
  /** What is known of the failure; `stillFails` may return better hints as it goes. */
  readonly hint?: FailureHint;
  /** Called whenever a smaller scenario still fails. */
  readonly onProgress?: (progress: ShrinkProgress) => void;
}

export interface ShrinkResult {
  /** False: the scenario did not fail when its workload was materialised, and nothing was done. */
  readonly confirmed: boolean;
  /** The smallest scenario that fails, its workload a list of requests. */
  readonly scenario: MaterialisedScenario;
  readonly runs: number;
  readonly stop: ShrinkStop;
}

/** More rounds than this have never made anything smaller. */
const roundsMax = 4;

type Pass = (attempts: Attempts) => Promise<void>;

/** Large cuts, once. */
const cuts: readonly Pass[] = [
  cutAfterViolation,
  focusOnBucket,
  dropAllFaults,
  keepLastRequests,
  dropFaults,
  dropRetries,
  dropRequests,
];

/** Everything else, again and again until a round changes nothing. */
const refinements: readonly Pass[] = [
  cutAfterViolation,
  dropMachines,
  simplifyTopology,
  mergeClients,
  mergeRequests,
  dropFaults,
  dropRequests,
  dropLimits,
  dropRetries,
  simplifyRequests,
  simplifyTimes,
  simplifyFaults,
  simplifyKnobs,
];

/**
 * Shrinks a scenario that fails. The result depends on nothing but the arguments, as long as the
 * deadline does not end it. Errors of `stillFails` are passed on.
 */
export async function shrink(
  scenario: Scenario,
  stillFails: StillFails,
  options: ShrinkOptions,
): Promise<ShrinkResult> {
  const { deadlineMs = 30_000, maxRuns = 3000, now, hint = {}, onProgress } = options;
  const attempts = new Attempts({
    scenario: materialiseScenario(scenario),
    hint,
    stillFails,
    limits: { deadlineMs, maxRuns, now },
    onAccept: ({ workload, faults }, runs) =>
      onProgress?.({ runs, requests: workload.requests.length, faults: faults.length }),
  });
  const confirmed = await attempts.confirm();
  if (confirmed) await runPasses(attempts);
  return { confirmed, scenario: attempts.current, runs: attempts.runs, stop: attempts.stop };
}

async function runPasses(attempts: Attempts): Promise<void> {
  for (const pass of cuts) await pass(attempts);
  for (let round = 0; round < roundsMax; round += 1) {
    const before = attempts.accepted;
    for (const pass of refinements) await pass(attempts);
    if (attempts.accepted === before) return;
  }
}

/** The same scenario with its streams made into requests. */
export function materialiseScenario(scenario: Scenario): MaterialisedScenario {
  const requests = materialise(scenario.workload, scenario.policies, scenario.seed);
  return { ...scenario, workload: { kind: 'requests', requests } };
}
