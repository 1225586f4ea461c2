// Which decisions of a run are other ones than its trace recorded. A digest says only that some are;
// whether that is meant can be judged from the decisions alone.

import { z } from 'zod';
import type { HistoryEvent } from '../sim/run/history.ts';
import type { TraceEvent } from '../sim/run/trace.ts';

/** A decision that is not what it was; undefined: the check did not settle, or there was none. */
export interface ChangedDecision {
  readonly operation: number;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

export interface Drift {
  /** Decisions of the run now. */
  readonly decisions: number;
  /** In the order of their operations' ids. */
  readonly changed: readonly ChangedDecision[];
}

const CHANGES_SHOWN = 5;

const settledSchema = z.looseObject({
  kind: z.literal('check-settled'),
  operation: z.int(),
  outcome: z.looseObject({ allowed: z.boolean(), reason: z.string().optional() }).optional(),
  error: z.string().optional(),
});

/** Compares by what the verdict digest is made of: allowed or denied, and the reason. */
export function findDrift(recorded: readonly TraceEvent[], events: readonly HistoryEvent[]): Drift {
  const before = readDecisions(recorded);
  const now = readDecisions(events);
  const operations = [...new Set([...before.keys(), ...now.keys()])].sort((one, two) => one - two);
  const changed = operations
    .map((operation) => ({ operation, was: before.get(operation), is: now.get(operation) }))
    .filter(({ was, is }) => was !== is);
  return { decisions: now.size, changed };
}

/** The first changes in words, and when to accept them. */
export function formatDrift({ decisions, changed }: Drift): string[] {
  const denied = changed.filter(({ was, is }) => was === ALLOWED && is !== ALLOWED).length;
  const lines = [`${changed.length} of ${decisions} decisions are others than in the trace:`];
  for (const { operation, was, is } of changed.slice(0, CHANGES_SHOWN)) {
    lines.push(`  operation ${operation} was ${was ?? 'not decided'}, is ${is ?? 'not decided'}`);
  }
  const left = changed.length - CHANGES_SHOWN;
  if (left > 0) lines.push(`  and ${left} more`);
  if (denied > 0) lines.push(`${denied} that were allowed are not any more.`);
  lines.push(
    'Look at them first (replay --verbose); `replay --accept` records the trace again and is right only when each change is meant.',
  );
  return lines;
}

const ALLOWED = 'allowed';

function readDecisions(events: readonly object[]): Map<number, string> {
  const decisions = new Map<number, string>();
  for (const event of events) {
    const settled = settledSchema.safeParse(event);
    if (!settled.success) continue;
    const { operation, outcome, error } = settled.data;
    decisions.set(operation, describeDecision(outcome, error));
  }
  return decisions;
}

function describeDecision(
  outcome: z.infer<typeof settledSchema>['outcome'],
  error: string | undefined,
): string {
  if (error !== undefined) return `denied (${error})`;
  const word = outcome?.allowed === true ? ALLOWED : 'denied';
  return outcome?.reason === undefined ? word : `${word} (${outcome.reason})`;
}
