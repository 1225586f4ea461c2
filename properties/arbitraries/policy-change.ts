// What an operator may do to a policy document between two restarts: raise or lower a limit under a
// newer revision, change the period (which starts new state), or go wrong in ways the limiter
// promises to survive: the same revision with other figures, and an older revision.

import { parsePolicies } from '../../impl/index.ts';
import { pick } from './draws.ts';
import { capacityOf, type LimitDocument, type PolicyDocument } from './policies.ts';

export interface ChangeSketch {
  readonly victim: number;
  readonly variant: number;
  readonly severity: number;
}

const revisionOf = (policies: PolicyDocument): number => policies.revision ?? 1;

/** Another document than the given one, with the same limits in the same order. */
export function changePolicies(policies: PolicyDocument, sketch: ChangeSketch): PolicyDocument {
  const chosen = sketch.victim % policies.limits.length;
  const limits = policies.limits.map((limit, index) =>
    index === chosen ? changeLimit(limit, sketch) : limit,
  );
  const revision = nextRevision(policies, sketch.variant);
  const changed = { ...policies, revision, limits };
  return isAccepted(changed) ? changed : { ...policies, revision };
}

/** A limit at the edge of what the arithmetic can hold may not be raised further. */
function isAccepted(policies: PolicyDocument): boolean {
  try {
    parsePolicies(policies);
    return true;
  } catch {
    return false;
  }
}

/** One change in six is rolled back soon: the old document again, with its older revision. */
export function isRolledBack(sketch: ChangeSketch): boolean {
  return sketch.variant % 6 === 5;
}

/** Mostly newer by one; one change in twelve keeps the revision. */
function nextRevision(policies: PolicyDocument, variant: number): number {
  const revision = revisionOf(policies);
  return variant % 12 === 4 ? revision : revision + 1;
}

function changeLimit(limit: LimitDocument, sketch: ChangeSketch): LimitDocument {
  const factor = pick([2, 0.5, 3, 0.1], sketch.variant);
  const tokens = Number.parseInt(limit.rate, 10);
  const period = limit.rate.slice(limit.rate.indexOf('/') + 1);
  // Four changes in ten are of the period alone.
  if (sketch.severity < 0.4 && tokens > 0) {
    return { ...limit, rate: `${tokens}/${pick(['s', '10s', 'min', 'h'], sketch.variant)}` };
  }
  const scale = (value: number): number => Math.max(1, Math.round(value * factor));
  if (limit.burst === undefined) return { ...limit, rate: `${scale(tokens)}/${period}` };
  if (sketch.severity < 0.7) return { ...limit, burst: scale(capacityOf(limit)) };
  return { ...limit, rate: `${scale(tokens)}/${period}`, burst: scale(capacityOf(limit)) };
}
