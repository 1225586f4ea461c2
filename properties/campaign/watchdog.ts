// Ends what does not end by itself. A subject that never yields stops the thread it runs in, where no
// timer fires any more; so the main thread watches, ends the thread and makes a fault of it.

import { describeFault } from './seed-runner.ts';
import type { SeedFault } from './tally.ts';

export interface WatchedTask<T> {
  readonly seed: number;
  /** Real milliseconds it may take. */
  readonly milliseconds: number;
  /** Real milliseconds it may take once the campaign was interrupted. */
  readonly interruptedMilliseconds: number;
  readonly interrupt: AbortSignal | undefined;
  /** Does it; the signal ends its thread. */
  readonly run: (signal: AbortSignal) => Promise<T>;
}

/** The task's result, or the fault it ended in. Never rejects. */
export async function watch<T>(task: WatchedTask<T>): Promise<T | SeedFault> {
  const { seed, interrupt } = task;
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let hung: string | undefined;
  const endAfter = (milliseconds: number, of: string): void => {
    const end = (): void => {
      hung ??= `seed ${seed} did not end in ${milliseconds / 1000} s of real time${of}: the subject may loop for ever`;
      controller.abort();
    };
    // biome-ignore lint/style/noRestrictedGlobals: what hangs, hangs in real time.
    timers.push(setTimeout(end, milliseconds));
  };
  const hurry = (): void => endAfter(task.interruptedMilliseconds, ' after the interruption');
  endAfter(task.milliseconds, '');
  if (interrupt?.aborted === true) hurry();
  else interrupt?.addEventListener('abort', hurry, { once: true });
  try {
    return await task.run(controller.signal);
  } catch (error) {
    if (hung === undefined) return describeFault(seed, error);
    return { kind: 'fault', seed, code: 'subject-hangs', message: hung, stack: hung };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    interrupt?.removeEventListener('abort', hurry);
  }
}
