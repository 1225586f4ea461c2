// What a replay found, in one word. The word and the exit code are the whole contract of `replay`
// and of pinned traces, so both are decided here, from data alone.

import type { Violation } from '../sim/run/invariant.ts';
import type { Trace } from '../sim/run/trace.ts';
import { EXIT } from './input-error.ts';

export type ReplayStatus =
  /** No violation, as expected, with the same verdicts. */
  | 'passes'
  /** The expected invariant is broken. */
  | 'still fails'
  /** Another invariant than the expected one is broken, or one where none was expected. */
  | 'changed'
  /** A violation was expected and nothing is broken. */
  | 'fixed'
  /** Nothing is broken, as expected, but some decision is another than in the trace. */
  | 'drifted'
  /** Two runs of the one scenario had different histories. */
  | 'not deterministic';

const exitCodes: Readonly<Record<ReplayStatus, number>> = {
  passes: EXIT.holds,
  fixed: EXIT.holds,
  'still fails': EXIT.propertyFailed,
  changed: EXIT.propertyFailed,
  drifted: EXIT.propertyFailed,
  'not deterministic': EXIT.harnessFault,
};

export interface ReplayedRun {
  readonly violations: readonly Violation[];
  readonly digests: { readonly history: string; readonly verdict: string };
}

/** The invariant a trace expects to be broken; undefined: it expects a run that holds. */
export function expectedInvariant(trace: Pick<Trace, 'header'>): string | undefined {
  const { expect } = trace.header;
  return expect === 'passes' ? undefined : expect.slice('fails '.length);
}

export function exitCodeOf(status: ReplayStatus): number {
  return exitCodes[status];
}

/** Compares two runs of a trace's scenario with what the trace expects. */
export function statusOf(
  trace: Pick<Trace, 'header' | 'digests'>,
  first: ReplayedRun,
  second: ReplayedRun,
): ReplayStatus {
  const expected = expectedInvariant(trace);
  if (first.digests.history !== second.digests.history) {
    // A trace may be about exactly this; then its invariant, not the harness, has failed again.
    const isExpected = first.violations.some(({ invariant }) => invariant === expected);
    return isExpected && expected === 'same-scenario-same-digest'
      ? 'still fails'
      : 'not deterministic';
  }
  if (first.violations.some(({ invariant }) => invariant === expected)) return 'still fails';
  if (first.violations.length > 0) return 'changed';
  if (expected !== undefined) return 'fixed';
  const recorded = trace.digests?.verdict;
  return recorded === undefined || recorded === first.digests.verdict ? 'passes' : 'drifted';
}

/** Whether a pinned trace does what it says, so that `check` may go on. */
export function isAsExpected(trace: Pick<Trace, 'header'>, status: ReplayStatus): boolean {
  return status === (expectedInvariant(trace) === undefined ? 'passes' : 'still fails');
}
