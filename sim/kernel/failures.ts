// What code under test leaves unhandled ends its host, as it would end a Node process; it must not
// end the process the simulator runs in, nor reach a test runner's listeners. So for the duration
// of a run the process's own listeners step aside.

import { isClearingSignal } from './drain.ts';
import type { Kernel } from './kernel.ts';

type Listener = (...values: unknown[]) => void;

const EVENTS = ['uncaughtException', 'unhandledRejection', 'rejectionHandled'] as const;

/** Takes over unhandled exceptions and rejections; the returned function gives them back. */
export function captureFailures(kernel: Kernel): () => void {
  const emitter: NodeJS.EventEmitter = process;
  const saved = EVENTS.map((event) => emitter.rawListeners(event));
  const capture: Listener = (error) => {
    if (!isClearingSignal(error)) kernel.failHost(error);
  };
  const ignore: Listener = () => {};
  for (const event of EVENTS) {
    emitter.removeAllListeners(event);
    emitter.on(event, event === 'rejectionHandled' ? ignore : capture);
  }
  return () => {
    EVENTS.forEach((event, index) => {
      emitter.removeAllListeners(event);
      for (const listener of saved[index] ?? []) {
        if (isListener(listener)) emitter.on(event, listener);
      }
    });
  };
}

function isListener(value: unknown): value is Listener {
  return typeof value === 'function';
}
