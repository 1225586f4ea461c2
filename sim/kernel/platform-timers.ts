// Wrappers over Node's timers: in a run they lead to the kernel, otherwise to the real ones.

import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { registry } from './registry.ts';
import { type AnyFunction, isFunction, replace, type Wrapper } from './replace.ts';
import { clearSimulatedTimer, Immediate, normaliseDelay, Timeout } from './timers.ts';
import {
  iterateInterval,
  promiseImmediate,
  promiseTimeout,
  type TimerOptions,
} from './timers-promises.ts';

export function installTimers(): void {
  for (const target of [globalThis, timers]) {
    replace(target, 'setTimeout', wrapTimeout(false));
    replace(target, 'setInterval', wrapTimeout(true));
    replace(target, 'setImmediate', wrapImmediate);
    replace(target, 'clearTimeout', wrapClear);
    replace(target, 'clearInterval', wrapClear);
    replace(target, 'clearImmediate', wrapClearImmediate);
  }
  installPromises();
  installPromisify();
  replace(AbortSignal, 'timeout', wrapAbortTimeout);
}

function wrapTimeout(repeats: boolean) {
  return (original: AnyFunction): Wrapper =>
    function (this: unknown, callback: unknown, delay: unknown, ...values: unknown[]) {
      const kernel = registry.active;
      // The real function has the exact text for a callback that is none.
      if (kernel === undefined || registry.exempt > 0 || !isFunction(callback)) {
        return original.call(this, callback, delay, ...values);
      }
      return new Timeout(kernel, callback, normaliseDelay(delay), { values, repeats });
    };
}

function wrapImmediate(original: AnyFunction): Wrapper {
  return function setImmediate(this: unknown, callback: unknown, ...values: unknown[]) {
    const kernel = registry.active;
    if (kernel === undefined || registry.exempt > 0 || !isFunction(callback)) {
      return original.call(this, callback, ...values);
    }
    return new Immediate(kernel.host, kernel.cause, callback, values);
  };
}

function wrapClear(original: AnyFunction): Wrapper {
  return function clearTimeout(this: unknown, handle: unknown) {
    if (!clearSimulatedTimer(handle)) original.call(this, handle);
  };
}

function wrapClearImmediate(original: AnyFunction): Wrapper {
  return function clearImmediate(this: unknown, handle: unknown) {
    if (handle instanceof Immediate) handle.host.kernel.cancel(handle);
    else original.call(this, handle);
  };
}

function installPromises(): void {
  replace(timersPromises, 'setTimeout', (original: AnyFunction): Wrapper => {
    return function setTimeout(delay: unknown, value: unknown, options?: TimerOptions) {
      const kernel = registry.active;
      if (kernel === undefined) return original(delay, value, options);
      return promiseTimeout(kernel, delay, value, options);
    };
  });
  replace(timersPromises, 'setImmediate', (original: AnyFunction): Wrapper => {
    return function setImmediate(value: unknown, options?: TimerOptions) {
      const kernel = registry.active;
      if (kernel === undefined) return original(value, options);
      return promiseImmediate(kernel, value, options);
    };
  });
  replace(timersPromises, 'setInterval', (original: AnyFunction): Wrapper => {
    return function setInterval(delay: unknown, value: unknown, options?: TimerOptions) {
      const kernel = registry.active;
      if (kernel === undefined) return original(delay, value, options);
      return iterateInterval(kernel, delay, value, options);
    };
  });
  const scheduler: object = timersPromises.scheduler;
  replace(scheduler, 'wait', (original: AnyFunction): Wrapper => {
    return function wait(this: unknown, delay: unknown, options?: TimerOptions) {
      const kernel = registry.active;
      if (kernel === undefined) return original.call(this, delay, options);
      return promiseTimeout(kernel, delay, undefined, options);
    };
  });
  replace(scheduler, 'yield', (original: AnyFunction): Wrapper => {
    return function yieldTurn(this: unknown) {
      const kernel = registry.active;
      if (kernel === undefined) return original.call(this);
      return promiseImmediate(kernel, undefined);
    };
  });
}

/** `promisify(setTimeout)` and `promisify(setImmediate)` are the functions of timers/promises. */
function installPromisify(): void {
  for (const target of [globalThis, timers]) {
    Object.defineProperty(target.setTimeout, promisify.custom, {
      enumerable: true,
      get: () => timersPromises.setTimeout,
    });
    Object.defineProperty(target.setImmediate, promisify.custom, {
      enumerable: true,
      get: () => timersPromises.setImmediate,
    });
  }
}

function wrapAbortTimeout(original: AnyFunction): Wrapper {
  return function timeout(this: unknown, delay: unknown) {
    const kernel = registry.active;
    if (kernel === undefined || typeof delay !== 'number') return original.call(this, delay);
    const controller = new AbortController();
    const expire = (): void =>
      controller.abort(
        new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
      );
    new Timeout(kernel, expire, normaliseDelay(delay), { values: [], repeats: false }).unref();
    return controller.signal;
  };
}
