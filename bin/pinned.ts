// The pinned traces of a subject, replayed before its campaign: a failure that was once understood
// must stay fixed, a mutant that was once caught must be caught again.

import type { ThreadPool } from '../properties/campaign/pool.ts';
import type { Recording } from '../properties/campaign/recording.ts';
import type { SubjectChoice } from '../properties/campaign/settings.ts';
import type { SeedFault } from '../properties/campaign/tally.ts';
import { isClientInstalled } from '../properties/subjects/ioredis-clients.ts';
import type { Violation } from '../sim/run/invariant.ts';
import { type Drift, findDrift } from './drift.ts';
import { expectedInvariant, isAsExpected, type ReplayStatus, statusOf } from './replay-status.ts';
import { type PinnedTrace, readPinned, runSettingsOf } from './trace-files.ts';

export interface PinnedResult {
  readonly replayed: number;
  /** Traces that need a client which is not installed here. */
  readonly skipped: number;
  /** Traces that did not do what they say. */
  readonly failed: readonly PinnedFailure[];
  /** The trace whose run itself went wrong; no further one was run. */
  readonly fault: PinnedFault | undefined;
}

export interface PinnedFault extends SeedFault {
  readonly file: string;
}

export interface PinnedFailure {
  readonly file: string;
  readonly expect: string;
  readonly status: ReplayStatus;
  readonly violations: readonly Violation[];
  readonly drift: Drift;
  readonly recording: Recording;
}

export async function replayPinned(
  pool: ThreadPool,
  subject: SubjectChoice,
): Promise<PinnedResult> {
  const all = readPinned(subject);
  const pinned = all.filter(({ trace }) => isClientInstalled(trace.header.client));
  const counts = { replayed: pinned.length, skipped: all.length - pinned.length };
  const failed: PinnedFailure[] = [];
  for (const { file, trace } of pinned) {
    const run = await replayTrace(pool, { file, trace });
    if (run.kind === 'fault') return { ...counts, failed, fault: { ...run, file } };
    const status = statusOf(trace, run, run);
    if (isAsExpected(trace, status)) continue;
    failed.push({
      file,
      expect: trace.header.expect,
      status,
      violations: run.violations,
      drift: findDrift(trace.events, run.events),
      recording: run,
    });
  }
  return { ...counts, failed, fault: undefined };
}

function replayTrace(pool: ThreadPool, { trace }: PinnedTrace): Promise<Recording | SeedFault> {
  const run = runSettingsOf(trace.header);
  const { scenario } = trace.header;
  return pool.record({ run, scenario, invariant: expectedInvariant(trace) });
}
