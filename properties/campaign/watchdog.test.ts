import { describe, expect, it } from 'vitest';
import { type WatchedTask, watch } from './watchdog.ts';

/** A task that ends only with its thread. */
const hangs = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The task has been aborted')));
  });

function watched<T>(changes: Partial<WatchedTask<T>> & Pick<WatchedTask<T>, 'run'>) {
  const interrupt = undefined;
  const milliseconds = 60_000;
  return watch({ seed: 7, milliseconds, interruptedMilliseconds: 10, interrupt, ...changes });
}

describe('a watched run', () => {
  it('gives its result', async () => {
    expect(await watched({ run: () => Promise.resolve('done') })).toBe('done');
  });

  it('becomes a fault when it does not end', async () => {
    expect(await watched({ milliseconds: 10, run: hangs })).toMatchObject({
      kind: 'fault',
      seed: 7,
      code: 'subject-hangs',
      message: 'seed 7 did not end in 0.01 s of real time: the subject may loop for ever',
    });
  });

  it('has little time left once the campaign is interrupted', async () => {
    const controller = new AbortController();
    const run = watched({ interrupt: controller.signal, run: hangs });
    controller.abort();
    expect(await run).toMatchObject({ kind: 'fault', code: 'subject-hangs' });
  });

  it('becomes a fault with the error of a thread that broke', async () => {
    const run = () => Promise.reject(new Error('Worker ran out of memory.'));
    expect(await watched({ run })).toMatchObject({
      kind: 'fault',
      message: 'Worker ran out of memory.',
    });
  });
});
