// Marks: what a campaign must have met at least once, or its green says nothing. A mark is a
// "sometimes" beside the invariants' "always". `requires` tells whether a scenario makes a mark so
// likely that a whole campaign of such scenarios cannot miss it; a campaign that does is vacuous.
// When a mark is reached is said in `reached/mark-follower.ts`.

import type { Handlers } from '../sim/run/invariant.ts';
import type { Scenario } from '../sim/scenario/scenario.ts';
import type { Oracle } from './oracle.ts';
import { decisionMarks } from './reached/decision-marks.ts';
import type { Mark } from './reached/mark.ts';
import { MarkFollower } from './reached/mark-follower.ts';
import { readFacts, type ScenarioFacts } from './reached/scenario-facts.ts';
import { troubleMarks } from './reached/trouble-marks.ts';

/** A mark as campaigns see it. */
export interface ReachedMark {
  readonly name: string;
  readonly sentence: string;
  /** Present when it can only be reached with the real client on the wire. */
  readonly transport?: 'wire';
  requires(scenario: Scenario): boolean;
}

const allMarks: readonly Mark[] = [...decisionMarks, ...troubleMarks];

const factsOf = new WeakMap<Scenario, ScenarioFacts>();

export const marks: readonly ReachedMark[] = allMarks.map((mark) => ({
  name: mark.name,
  sentence: mark.sentence,
  ...(mark.transport === undefined ? {} : { transport: mark.transport }),
  requires: (scenario) => {
    let facts = factsOf.get(scenario);
    if (facts === undefined) {
      facts = readFacts(scenario);
      factsOf.set(scenario, facts);
    }
    return mark.requires(facts);
  },
}));

export interface MarkCounter {
  readonly handlers: Handlers;
  counts(): Record<string, number>;
}

/** Counts the marks of one run, by the oracle that follows it. */
export function createMarkCounter(oracle: Oracle): MarkCounter {
  const counts = new Map<string, number>(allMarks.map(({ name }) => [name, 0]));
  const { handlers } = new MarkFollower(oracle, (mark) => {
    counts.set(mark, (counts.get(mark) ?? 0) + 1);
  });
  return { handlers, counts: () => Object.fromEntries(counts) };
}
