// The sum of a campaign: results of seeds are added in the order of the seeds, whatever thread they
// came from, so the sum does not depend on how the work was shared out. What makes a campaign
// vacuous is decided here as well: a mark its scenarios require and none of its runs reached, or a
// promise that nothing put to the test.

import { createHash } from 'node:crypto';
import type { Violation } from '../../sim/run/invariant.ts';

/** What one seed gave. Evaluations and marks include those of the relations it was put to. */
export interface SeedRan {
  readonly kind: 'ran';
  readonly seed: number;
  readonly ending: string;
  /** The first violation of each invariant, in the order of their times. */
  readonly violations: readonly Violation[];
  readonly evaluations: Readonly<Record<string, number>>;
  readonly reached: Readonly<Record<string, number>>;
  /** Marks the scenario of this seed makes a campaign responsible for. */
  readonly required: readonly string[];
  readonly overshoot: Readonly<Record<string, number>>;
  readonly verdictDigest: string;
  readonly events: number;
  readonly decisions: number;
  readonly simulatedSeconds: number;
}

/** The run itself went wrong (an escape, a mutant that does not apply): nothing was judged. */
export interface SeedFault {
  readonly kind: 'fault';
  readonly seed: number;
  readonly code: string;
  readonly message: string;
  readonly stack: string;
}

export type SeedResult = SeedRan | SeedFault;

export interface CampaignTally {
  readonly seeds: number;
  readonly simulatedSeconds: number;
  readonly decisions: number;
  readonly events: number;
  readonly invariants: readonly { readonly name: string; readonly evaluations: number }[];
  readonly reached: readonly {
    readonly name: string;
    readonly count: number;
    readonly required: boolean;
  }[];
  readonly worstOvershoot: readonly { readonly policy: string; readonly ratio: number }[];
  /** SHA-256 over seed and verdict digest of each seed in order. */
  readonly digest: string;
}

/** Adds results, which must come in the order of their seeds. */
export class Tally {
  readonly #digest = createHash('sha256');
  readonly #evaluations: Map<string, number>;
  readonly #reached: Map<string, number>;
  readonly #required = new Set<string>();
  readonly #overshoot = new Map<string, number>();
  #seeds = 0;
  #simulatedSeconds = 0;
  #decisions = 0;
  #events = 0;

  /** Names given here appear in the sum even when nothing was counted for them. */
  constructor(invariants: readonly string[], marks: readonly string[]) {
    this.#evaluations = new Map(invariants.map((name) => [name, 0]));
    this.#reached = new Map(marks.map((name) => [name, 0]));
  }

  add(result: SeedRan): void {
    this.#seeds += 1;
    this.#simulatedSeconds += result.simulatedSeconds;
    this.#decisions += result.decisions;
    this.#events += result.events;
    addCounts(this.#evaluations, result.evaluations);
    addCounts(this.#reached, result.reached);
    for (const mark of result.required) this.#required.add(mark);
    for (const [policy, ratio] of Object.entries(result.overshoot)) {
      this.#overshoot.set(policy, Math.max(ratio, this.#overshoot.get(policy) ?? 0));
    }
    this.#digest.update(`${result.seed}:${result.verdictDigest}\n`);
  }

  sum(): CampaignTally {
    return {
      seeds: this.#seeds,
      simulatedSeconds: Math.round(this.#simulatedSeconds * 1000) / 1000,
      decisions: this.#decisions,
      events: this.#events,
      invariants: [...this.#evaluations].map(([name, evaluations]) => ({ name, evaluations })),
      reached: [...this.#reached].map(([name, count]) => ({
        name,
        count,
        required: this.#required.has(name),
      })),
      worstOvershoot: [...this.#overshoot]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([policy, ratio]) => ({ policy, ratio })),
      digest: this.#digest.copy().digest('hex'),
    };
  }
}

/** Required marks that no run reached; a campaign that has some proves less than it says. */
export function missedMarks(tally: CampaignTally): string[] {
  return tally.reached.filter((mark) => mark.required && mark.count === 0).map(({ name }) => name);
}

function addCounts(into: Map<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) {
    into.set(name, (into.get(name) ?? 0) + count);
  }
}
