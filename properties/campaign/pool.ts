// The threads of a campaign. Runs are made in threads also when there is only one job: the main
// thread stays free for progress and Ctrl-C, and every run has the same stack size, so that how deep
// a script may recurse does not depend on `--jobs`.

import { Tinypool } from 'tinypool';
import type { SeedPool } from './campaign.ts';
import type { Recording, RecordTask } from './recording.ts';
import type { CampaignSettings } from './settings.ts';
import type { ShrinkTask, Shrunk } from './shrinking.ts';
import type { SeedFault } from './tally.ts';

// Redis allows about 19 800 nested Lua calls; a thread's default stack ends near 3 500.
const STACK_MEBIBYTES = 16;

export interface ThreadPool extends SeedPool {
  record(task: RecordTask): Promise<Recording | SeedFault>;
  shrink(task: ShrinkTask): Promise<Shrunk | SeedFault>;
  /** Ends the threads; what they were doing is dropped. */
  close(): Promise<void>;
}

/** Starts `jobs` threads that run seeds under these settings. Only built code can start threads. */
export function createThreadPool(settings: CampaignSettings, jobs: number): ThreadPool {
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
  return {
    runSeed: (seed) => pool.run(seed, { name: 'runSeed' }),
    record: (task) => pool.run(task, { name: 'record' }),
    shrink: (task) => pool.run(task, { name: 'shrink' }),
    close: () => pool.destroy(),
  };
}
