// What becomes of a failing seed: kept as a trace at once, made small for as long as is allowed, and
// kept again. How it is told is in failure-text.ts.

import type { ThreadPool } from '../properties/campaign/pool.ts';
import type { Recording } from '../properties/campaign/recording.ts';
import { describeFault, scenarioOf } from '../properties/campaign/seed-runner.ts';
import type { CampaignSettings } from '../properties/campaign/settings.ts';
import { type Shrunk, UnrepeatableError } from '../properties/campaign/shrinking.ts';
import type { SeedFault, SeedRan } from '../properties/campaign/tally.ts';
import type { Violation } from '../sim/run/invariant.ts';
import type { Subject } from '../sim/subject.ts';
import { failureFile, writeRecording } from './trace-files.ts';

/** A failure that is kept in a file. */
export interface KeptFailure {
  readonly kind: 'kept';
  readonly seed: number;
  readonly violation: Violation;
  readonly file: string;
  readonly recording: Recording;
  /** How it was made small; undefined: it is as the seed gave it. */
  readonly shrunk: Pick<Shrunk, 'runs' | 'seconds'> | undefined;
}

/**
 * Keeps a failing seed. Interrupted or out of time, the smallest trace found so far is kept. Gives
 * the fault instead when the failing run cannot be made again.
 */
export async function keepFailure(
  pool: ThreadPool,
  { settings, subject }: { readonly settings: CampaignSettings; readonly subject: Subject },
  failure: SeedRan,
  shrinkSeconds: number,
  signal: AbortSignal,
): Promise<KeptFailure | SeedFault> {
  const { seed } = failure;
  const [violation] = failure.violations;
  if (violation === undefined) throw new Error(`Expected seed ${seed} to have a violation.`);
  const { invariant } = violation;
  const scenario = scenarioOf(settings.source, seed);
  const recording = await pool.record({ run: settings, scenario, invariant });
  if (recording.kind === 'fault') return recording;
  if (findViolation(recording, invariant) === undefined) {
    return describeFault(seed, new UnrepeatableError(seed, invariant));
  }
  const file = failureFile(subject.name, invariant, seed);
  const kept = keep(seed, invariant, file, settings, recording, undefined);
  if (shrinkSeconds === 0 || signal.aborted) return kept;
  const task = { seed, invariant, milliseconds: shrinkSeconds * 1000 };
  const shrunk = await Promise.race([pool.shrink(task), aborted(signal)]);
  if (shrunk === undefined || shrunk.kind === 'fault') return kept;
  return keep(seed, invariant, file, settings, shrunk.recording, shrunk);
}

function keep(
  seed: number,
  invariant: string,
  file: string,
  settings: CampaignSettings,
  recording: Recording,
  shrunk: Shrunk | undefined,
): KeptFailure {
  const violation = findViolation(recording, invariant);
  if (violation === undefined) {
    throw new Error(`Expected the run of seed ${seed}, made again, to break ${invariant} again.`);
  }
  writeRecording(file, settings, recording, `fails ${invariant}`);
  return { kind: 'kept', seed, violation, file, recording, shrunk };
}

function findViolation({ violations }: Recording, invariant: string): Violation | undefined {
  return violations.find((found) => found.invariant === invariant);
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
