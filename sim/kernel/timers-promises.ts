// `node:timers/promises` in virtual time: setTimeout, setImmediate, setInterval and scheduler, with
// abort signals. Semantics and texts are Node's.

import type { Kernel } from './kernel.ts';
import { Immediate, normaliseDelay, Timeout } from './timers.ts';

export interface TimerOptions {
  readonly signal?: AbortSignal | undefined;
  readonly ref?: boolean | undefined;
}

class AbortError extends Error {
  override readonly name = 'AbortError';
  readonly code = 'ABORT_ERR';

  constructor(signal: AbortSignal) {
    super('The operation was aborted', { cause: signal.reason });
  }
}

/** Resolves with `value` after `delay` milliseconds. */
export function promiseTimeout<T>(
  kernel: Kernel,
  delay: unknown,
  value: T,
  options: TimerOptions = {},
): Promise<T> {
  return promiseEvent(options.signal, (resolve) => {
    const timer = new Timeout(kernel, () => resolve(value), normaliseDelay(delay), {
      values: [],
      repeats: false,
    });
    if (options.ref === false) timer.unref();
    return () => timer.close();
  });
}

/** Resolves with `value` at this instant, after what is already due. */
export function promiseImmediate<T>(
  kernel: Kernel,
  value: T,
  options: TimerOptions = {},
): Promise<T> {
  return promiseEvent(options.signal, (resolve) => {
    const immediate = new Immediate(kernel.host, kernel.cause, () => resolve(value), []);
    return () => kernel.cancel(immediate);
  });
}

/** Yields `value` every `delay` milliseconds; turns that were missed are yielded at once. */
export async function* iterateInterval<T>(
  kernel: Kernel,
  delay: unknown,
  value: T,
  options: TimerOptions = {},
): AsyncGenerator<T, void> {
  const { signal } = options;
  throwIfAborted(signal);
  let due = 0;
  let wake = (): void => {};
  const timer = new Timeout(
    kernel,
    () => {
      due += 1;
      wake();
    },
    normaliseDelay(delay),
    { values: [], repeats: true },
  );
  if (options.ref === false) timer.unref();
  const abort = (): void => {
    timer.close();
    wake();
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      throwIfAborted(signal);
      if (due === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      for (; due > 0; due -= 1) yield value;
    }
  } finally {
    timer.close();
    signal?.removeEventListener('abort', abort);
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AbortError(signal);
}

/** A promise for an event that a signal may cancel. */
function promiseEvent<T>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void) => () => void,
): Promise<T> {
  if (signal?.aborted === true) return Promise.reject(new AbortError(signal));
  return new Promise((resolve, reject) => {
    if (signal === undefined) {
      begin(resolve);
      return;
    }
    const abort = (): void => {
      cancel();
      reject(new AbortError(signal));
    };
    const cancel = begin((value) => {
      signal.removeEventListener('abort', abort);
      resolve(value);
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
