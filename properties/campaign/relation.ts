// The shape of a relational invariant: it compares further runs with the run of a seed (the same
// scenario again, the same with a renamed tenant). One costs at least a run more, so a campaign puts
// only a keyed share of its seeds to it; a replay puts exactly the relation its trace names.

import type { RunReport } from '../../sim/run/run.ts';
import type { Scenario } from '../../sim/scenario/scenario.ts';

export interface RelationContext {
  readonly scenario: Scenario;
  /** The run of the scenario as the campaign made it. */
  readonly report: RunReport;
  /** Runs another scenario with the campaign's own subject, client and drive. */
  readonly run: (scenario: Scenario, transport?: 'wire' | 'direct') => Promise<RunReport>;
}

export interface Relation {
  /** The name of the invariant, as in reports and in `traces/`. */
  readonly name: string;
  /** The invariant in one plain sentence. */
  readonly sentence: string;
  /** One in this many seeds is put to it. */
  readonly every: number;
  /**
   * How often the relation was put to the test, and how it was broken, if it was. 0 evaluations:
   * the relation does not apply to this scenario.
   */
  readonly evaluate: (context: RelationContext) => Promise<RelationVerdict>;
}

export interface RelationVerdict {
  readonly evaluations: number;
  /** One plain sentence with the figures; undefined: the relation holds. */
  readonly broken: string | undefined;
}

/**
 * Whether a seed belongs to the share that is put to a relation. A hash of name and seed decides
 * (FNV-1a), so that relations do not all fall on the same seeds and no other seed's choice matters.
 */
export function isDue(relation: Pick<Relation, 'name' | 'every'>, seed: number): boolean {
  let hash = 0x811c9dc5;
  for (const character of `${relation.name}:${seed}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0) % relation.every === 0;
}
