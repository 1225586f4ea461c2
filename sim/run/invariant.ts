// The shape of a checker. The simulator is handed checkers and never imports one.

import type { HistoryEvent, HistoryEventOf } from './history.ts';

export type Handlers = {
  readonly [K in HistoryEvent['kind']]?: (event: HistoryEventOf<K>) => void;
};

/**
 * The checkers of one run. They share state (one model that follows the store, say), so a whole set
 * is created per run. `evaluations` counts how often each invariant was really put to the test.
 */
export interface RunCheckers {
  readonly handlers: readonly Handlers[];
  readonly summary: () => CheckSummary;
}

export interface CheckSummary {
  readonly evaluations: Readonly<Record<string, number>>;
  readonly reached: Readonly<Record<string, number>>;
  /** Worst observed/bound by policy. */
  readonly overshoot: Readonly<Record<string, number>>;
}

export interface Violation {
  readonly invariant: string;
  readonly atUs: number;
  readonly message: string;
}

/** Creates the checkers for one run; `violate` may be called many times, the first counts. */
export type CreateCheckers = (report: (violation: Violation) => void) => RunCheckers;
