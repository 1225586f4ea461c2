// The pinned traces of a subject, replayed before its campaign: a failure that was once understood
// must stay fixed, a mutant that was once caught must be caught again.

import type { ThreadPool } from '../properties/campaign/pool.ts';
import type { SubjectChoice } from '../properties/campaign/settings.ts';
import type { SeedFault } from '../properties/campaign/tally.ts';
import { expectedInvariant, isAsExpected, type ReplayStatus, statusOf } from './replay-status.ts';
import { type PinnedTrace, readPinned, runSettingsOf } from './trace-files.ts';

export interface PinnedResult {
  readonly replayed: number;
  /** Traces that did not do what they say. */
  readonly failed: readonly PinnedFailure[];
  readonly fault: SeedFault | undefined;
}

export interface PinnedFailure {
  readonly file: string;
  readonly expect: string;
  readonly status: ReplayStatus;
}

export async function replayPinned(
  pool: ThreadPool,
  subject: SubjectChoice,
): Promise<PinnedResult> {
  const pinned = readPinned(subject);
  const failed: PinnedFailure[] = [];
  for (const { file, trace } of pinned) {
    const status = await replayTrace(pool, { file, trace });
    if (typeof status !== 'string') return { replayed: pinned.length, failed, fault: status };
    if (isAsExpected(trace, status)) continue;
    failed.push({ file, expect: trace.header.expect, status });
  }
  return { replayed: pinned.length, failed, fault: undefined };
}

async function replayTrace(
  pool: ThreadPool,
  { trace }: PinnedTrace,
): Promise<ReplayStatus | SeedFault> {
  const { header } = trace;
  const run = runSettingsOf(header);
  const task = { run, scenario: header.scenario, invariant: expectedInvariant(trace) };
  const first = await pool.record(task);
  if (first.kind === 'fault') return first;
  return statusOf(trace, first, first);
}
