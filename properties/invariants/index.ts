// All invariants, and how they become the checkers of a run. The order is the order of the report; of
// several broken at one event the first listed is found first.

import type {
  CheckSummary,
  CreateCheckers,
  Handlers,
  RunCheckers,
  Violation,
} from '../../sim/run/invariant.ts';
import type { Subject } from '../../sim/subject.ts';
import { Oracle } from '../oracle.ts';
import { createMarkCounter } from '../reached.ts';
import { admissionBound } from './admission-bound.ts';
import { bucketHasOwnKey } from './bucket-has-own-key.ts';
import { bucketWithinCapacity } from './bucket-within-capacity.ts';
import { checkAnswers } from './check-answers.ts';
import { conservation } from './conservation.ts';
import { executedOnce } from './executed-once.ts';
import { hostNeverFails } from './host-never-fails.ts';
import type { Invariant } from './invariant.ts';
import { keyHasTtl } from './key-has-ttl.ts';
import { noWrongfulRefusal } from './no-wrongful-refusal.ts';
import { nothingLeftAfterRun } from './nothing-left-after-run.ts';
import { nothingSentAfterSettle } from './nothing-sent-after-settle.ts';
import { oneScriptPerDecision } from './one-script-per-decision.ts';
import { recoveryAfterHeal } from './recovery-after-heal.ts';
import { refusedChangesNothing } from './refused-changes-nothing.ts';
import { remainingAndResetTrue } from './remaining-and-reset-true.ts';
import { replyMatchesRequest } from './reply-matches-request.ts';
import { retryAfterKept } from './retry-after-kept.ts';
import { settlesOnceWithinDeadline } from './settles-once-within-deadline.ts';
import { upstreamOnlyAfterAllow } from './upstream-only-after-allow.ts';

export type { Invariant, InvariantContext } from './invariant.ts';

export const invariants: readonly Invariant[] = [
  checkAnswers,
  bucketWithinCapacity,
  bucketHasOwnKey,
  conservation,
  admissionBound,
  noWrongfulRefusal,
  refusedChangesNothing,
  retryAfterKept,
  remainingAndResetTrue,
  upstreamOnlyAfterAllow,
  replyMatchesRequest,
  oneScriptPerDecision,
  executedOnce,
  nothingSentAfterSettle,
  keyHasTtl,
  settlesOnceWithinDeadline,
  recoveryAfterHeal,
  nothingLeftAfterRun,
  hostNeverFails,
];

/** The checkers for a subject: all invariants, or those its contract promises. */
export function createCheckersFor(subject: Pick<Subject, 'contract'> = {}): CreateCheckers {
  return (report) => createRunCheckers(subject.contract, report);
}

type Contract = Subject['contract'];

function createRunCheckers(
  contract: Contract,
  report: (violation: Violation) => void,
): RunCheckers {
  const oracle = new Oracle(contract);
  const judges = invariants
    .filter((invariant) => isPromised(invariant, contract))
    .map((invariant) => createJudge(invariant, oracle, contract, report));
  const marks = createMarkCounter(oracle);
  return {
    // The oracle first: everybody else reads it.
    handlers: [oracle.handlers, ...judges.map(({ handlers }) => handlers), marks.handlers],
    summary: (): CheckSummary => ({
      evaluations: Object.fromEntries(judges.map(({ name, count }) => [name, count()])),
      reached: marks.counts(),
      overshoot: findOvershoot(oracle),
    }),
  };
}

interface Judge {
  readonly name: string;
  readonly handlers: Handlers;
  readonly count: () => number;
}

/** An invariant at work in one run. It reports its first violation; the rest would be its echo. */
function createJudge(
  invariant: Invariant,
  oracle: Oracle,
  contract: Contract,
  report: (violation: Violation) => void,
): Judge {
  const { name } = invariant;
  let count = 0;
  let isBroken = false;
  const handlers = invariant.create({
    oracle,
    evaluated: () => {
      if (isOperationPromised(invariant, contract, oracle)) count += 1;
    },
    violate: (message, atUs) => {
      if (isBroken || !isOperationPromised(invariant, contract, oracle)) return;
      isBroken = true;
      report({ invariant: name, atUs, message });
    },
  });
  return { name, handlers, count: () => count };
}

/** Without a contract everything is promised; the world's own invariants always hold. */
function isPromised({ name, scope }: Invariant, contract: Contract): boolean {
  if (contract === undefined || scope === 'world') return true;
  return Object.values(contract).some(({ promises }) => promises.includes(name));
}

/** What is about an operation counts when the limit that decided it makes the promise. */
function isOperationPromised(
  { name, scope }: Invariant,
  contract: Contract,
  { operation }: Oracle,
): boolean {
  const limit = operation?.limit;
  if (contract === undefined || scope === 'world' || limit === undefined) return true;
  return contract[limit.id]?.promises.includes(name) ?? false;
}

/** The worst observed/bound of each limit, over all its buckets. */
function findOvershoot(oracle: Oracle): Record<string, number> {
  const worst: Record<string, number> = {};
  for (const { limitId, bound } of oracle.buckets.all()) {
    worst[limitId] = Math.max(worst[limitId] ?? 0, bound.worstRatio);
  }
  return worst;
}
