// The extra properties: those that need more runs than the seed's own. Each costs one or two runs
// more, so a campaign puts only a keyed share of its seeds to each of them; the shrinker and a replay
// put exactly the one that was broken.

import type { RunReport } from '../../sim/run/run.ts';
import { runScenario } from '../../sim/run/run.ts';
import type { Scenario } from '../../sim/scenario/scenario.ts';
import type { Subject } from '../../sim/subject.ts';
import { checkRelation, type RelationResult } from '../relations/check-relation.ts';
import { relations } from '../relations/relations.ts';
import type { Rig } from './judge.ts';

export interface Extra {
  /** The name of the invariant, as in reports and in `traces/`. */
  readonly name: string;
  /** The invariant in one plain sentence. */
  readonly sentence: string;
  /** Judged whatever the subject promises: it is about the simulator as much as about the subject. */
  readonly isHarness: boolean;
  /** `report` is the run of the scenario that has been made already. */
  readonly evaluate: (rig: Rig, scenario: Scenario, report: RunReport) => Promise<RelationResult>;
}

/** One in this many seeds is put to each extra property: about a tenth of a campaign's time. */
const EVERY = 32;

const sameDigest: Extra = {
  name: 'same-scenario-same-digest',
  sentence: 'The same scenario, run again, gives the same history, event for event.',
  isHarness: true,
  evaluate: async (rig, scenario, report) => {
    const { subject, createCheckers, settings } = rig;
    const again = await runScenario({ scenario, subject, createCheckers, ...settings });
    if (again.historyDigest === report.historyDigest)
      return { evaluations: 1, violation: undefined };
    const atUs = Math.round(report.simulatedSeconds * 1_000_000);
    const message = `The run's history has the digest ${report.historyDigest.slice(0, 12)}, the same scenario run again ${again.historyDigest.slice(0, 12)}.`;
    return { evaluations: 1, violation: { invariant: sameDigest.name, atUs, message } };
  },
};

export const extras: readonly Extra[] = [
  sameDigest,
  ...relations.map((relation) => ({
    name: relation.name,
    sentence: relation.sentence,
    isHarness: false,
    evaluate: (rig: Rig, scenario: Scenario) => checkRelation(relation, scenario, rig.subject),
  })),
];

/** The extras a seed of a campaign is put to, for this subject. */
export function extrasFor(subject: Subject, seed: number): Extra[] {
  return extras.filter((extra) => isDue(extra.name, seed) && isPromised(subject, extra));
}

/**
 * Whether a seed belongs to the share that is put to an extra. A hash of name and seed decides
 * (FNV-1a), so that the extras do not all fall on the same seeds and seeds do not share a fate.
 */
export function isDue(name: string, seed: number, every = EVERY): boolean {
  let hash = 0x811c9dc5;
  for (const character of `${name}:${seed}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  // The low bits of FNV-1a follow the last character closely; fold the high ones in.
  return ((hash ^ (hash >>> 15)) >>> 0) % every === 0;
}

function isPromised(subject: Subject, extra: Extra): boolean {
  if (extra.isHarness || subject.contract === undefined) return true;
  return Object.values(subject.contract).every(({ promises }) => promises.includes(extra.name));
}
