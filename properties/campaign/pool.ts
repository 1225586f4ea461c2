// The threads of a campaign. Runs are made in threads also when there is only one job: the main
// thread stays free for progress and Ctrl-C, and every run has the same stack size, so that how deep
// a script may recurse does not depend on `--jobs`.

import { Tinypool } from 'tinypool';
import type { SeedPool } from './campaign.ts';
import type { Recording, RecordTask } from './recording.ts';
import type { CampaignSettings } from './settings.ts';
import type { ShrinkTask, Shrunk } from './shrinking.ts';
import type { SeedFault } from './tally.ts';
import { watch } from './watchdog.ts';

// Redis allows about 19 800 nested Lua calls; a thread's default stack ends near 3 500.
const STACK_MEBIBYTES = 16;

/** A thread that does not end when told to has ended already. */
const CLOSING_MS = 5000;

export interface ThreadPoolOptions {
  /** Real milliseconds after which a run is given up as a subject that loops. Default 120 000. */
  readonly runMilliseconds?: number;
  /** Likewise, from the interruption of the campaign on. Default 10 000. */
  readonly interruptedMilliseconds?: number;
  /** Aborted when the campaign is interrupted. */
  readonly interrupt?: AbortSignal;
}

export interface ThreadPool extends SeedPool {
  record(task: RecordTask): Promise<Recording | SeedFault>;
  shrink(task: ShrinkTask): Promise<Shrunk | SeedFault>;
  /** Ends the threads; what they were doing is dropped. */
  close(): Promise<void>;
}

/**
 * Starts `jobs` threads that run seeds under these settings. Only built code can start threads. A run
 * that does not end costs its thread, which is replaced, and becomes a fault.
 */
export function createThreadPool(
  settings: CampaignSettings,
  jobs: number,
  options: ThreadPoolOptions = {},
): ThreadPool {
  const { runMilliseconds = 120_000, interruptedMilliseconds = 10_000, interrupt } = options;
  const pool = new Tinypool({
    filename: new URL('./worker.js', import.meta.url).href,
    runtime: 'worker_threads',
    minThreads: jobs,
    maxThreads: jobs,
    concurrentTasksPerWorker: 1,
    idleTimeout: 3_600_000,
    useAtomics: false,
    resourceLimits: { stackSizeMb: STACK_MEBIBYTES },
    workerData: settings,
  });
  const limits = { interruptedMilliseconds, interrupt };
  const run = (seed: number, name: string, task: unknown, milliseconds = runMilliseconds) =>
    watch({ ...limits, seed, milliseconds, run: (signal) => pool.run(task, { name, signal }) });
  return {
    runSeed: (seed) => run(seed, 'runSeed', seed),
    record: (task) => run(task.scenario.seed, 'record', task),
    // It ends by itself, but for its last run.
    shrink: (task) => run(task.seed, 'shrink', task, task.milliseconds + runMilliseconds),
    close: () => destroy(pool),
  };
}

/** The pool waits for the end of every thread, which one that is gone already never tells. */
async function destroy(pool: Tinypool): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    // biome-ignore lint/style/noRestrictedGlobals: threads end in real time.
    timer = setTimeout(resolve, CLOSING_MS);
  });
  await Promise.race([pool.destroy(), late]);
  clearTimeout(timer);
}
