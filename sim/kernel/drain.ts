// Draining: after each event everything that is ready in nextTick and promises runs before time
// moves. `process._tickCallback` does exactly that, synchronously, and is the only thing that does.
//
// Trap: called from within a microtask (after any await, at a module's top level) it does nothing,
// and every result would be silently empty. Hence the probe.

import { HarnessError } from './errors.ts';
import type { Kernel } from './kernel.ts';

const tick = findTickCallback();

/** Thrown on purpose to make Node clear its stack of async contexts; see `recover`. */
const CLEARING = Symbol('clearing the async context stack');

/** Runs what is ready; an exception in a tick ends the current host's process. */
export function drain(kernel: Kernel): void {
  for (;;) {
    try {
      tick();
      return;
    } catch (error) {
      kernel.failHost(error);
      recover();
    }
  }
}

/** Throws unless promises and ticks can be drained from here. */
export function probeDrain(): void {
  let drained = 0;
  void Promise.resolve().then(() => {
    drained += 1;
  });
  process.nextTick(() => {
    drained += 1;
  });
  tick();
  if (drained !== 2) {
    throw new HarnessError('cannot-drain', 'Promises cannot be drained from here; use simulate().');
  }
}

/** Whether an uncaught exception is the simulator's own signal, which means nothing. */
export function isClearingSignal(error: unknown): boolean {
  return error === CLEARING;
}

/**
 * A tick that throws leaves its async context on Node's stack, where it would be found corrupt
 * later. An uncaught exception out of a microtask makes Node clear that stack.
 */
function recover(): void {
  queueMicrotask(() => {
    throw CLEARING;
  });
}

function findTickCallback(): () => void {
  const found: unknown = Reflect.get(process, '_tickCallback');
  if (isProcedure(found)) return found;
  throw new HarnessError('cannot-drain', `Node ${process.version} has no process._tickCallback.`);
}

function isProcedure(value: unknown): value is () => void {
  return typeof value === 'function';
}
