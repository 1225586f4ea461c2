// Escapes: code under test reaching for what the simulator does not own. Such a run differs from
// machine to machine, or waits for ever, so it must end as a fault of the harness with the stack
// that escaped, never as a result.
//
// An async_hooks init hook sees nearly everything asynchronous: files, sockets, threads, timers
// captured before the wrappers. Wrappers report what it cannot see (synchronous file access, child
// processes, Atomics.wait). An `import()` of what is loaded already settles like any promise; of
// anything else it reads a file. Not seen: what code does natively without a resource.

import { AsyncResource, createHook } from 'node:async_hooks';
import { EscapeError } from './errors.ts';
import { registry } from './registry.ts';

/** Formatting a stack reads source maps; that serves the developer and decides nothing. */
const HARMLESS_FRAMES = /prepareStackTrace|node:internal\/source_map\//;
const STACK_FRAMES = 60;

let inspecting = false;

export interface EscapeWatch {
  /**
   * `promises`: whether activity counts promises too, which costs a tenth of a run. What a promise
   * waits for is seen without.
   */
  enable(options: { readonly promises: boolean }): void;
  disable(): void;
  /** A number that changes whenever something asynchronous is begun. */
  activity(): number;
}

export function watchEscapes(): EscapeWatch {
  let activity = 0;
  const hook = createHook({
    init(_asyncId, type, _trigger, resource) {
      if (registry.exempt > 0) return;
      activity += 1;
      if (isDrained(type) || resource instanceof AsyncResource) return;
      reportEscape(type);
    },
  });
  return {
    enable: ({ promises }) => {
      const isOthers = arePromisesWatched();
      hook.enable();
      if (!promises && !isOthers) ignorePromises();
    },
    disable: () => hook.disable(),
    activity: () => activity,
  };
}

/** Resources that are drained with every event; they never leave the run. */
function isDrained(type: string): boolean {
  return type === 'TickObject' || type === 'PROMISE' || type === 'Microtask';
}

/** Node marks each promise while anybody's hook, or an AsyncLocalStorage, wants to know of them. */
function arePromisesWatched(): boolean {
  return Object.getOwnPropertySymbols(Promise.resolve()).length > 0;
}

/**
 * A hook hears of every promise and cannot decline in Node 20. So the engine is told to leave
 * promises alone; enabling another hook later turns that back. Where Node has no such way, the hook
 * hears of promises and only time is lost.
 */
const ignorePromises = findPromiseHooks();

function findPromiseHooks(): () => void {
  const { noDeprecation } = process;
  // Node warns of this way in, and has no other.
  process.noDeprecation = true;
  try {
    const binding: unknown = Reflect.get(process, 'binding');
    const asyncWrap: unknown = isFunction(binding) ? binding.call(process, 'async_wrap') : {};
    const set: unknown = Reflect.get(Object(asyncWrap), 'setPromiseHooks');
    return isFunction(set) ? () => void set.call(asyncWrap) : () => {};
  } catch {
    return () => {};
  } finally {
    Object.assign(process, { noDeprecation });
  }
}

function isFunction(value: unknown): value is (...values: unknown[]) => unknown {
  return typeof value === 'function';
}

/** Ends the active run, if there is one, as escaped through `what`. Never throws. */
export function reportEscape(what: string): void {
  const kernel = registry.active;
  if (kernel === undefined || registry.exempt > 0 || inspecting) return;
  const stack = captureStack();
  if (HARMLESS_FRAMES.test(stack)) return;
  kernel.fault ??= new EscapeError(what, kernel.host.name, stack);
}

/** Formatting a stack may itself read source maps; that is not the code under test's doing. */
function captureStack(): string {
  const limit = Error.stackTraceLimit;
  inspecting = true;
  Error.stackTraceLimit = STACK_FRAMES;
  try {
    return new Error('escaped').stack?.split('\n').slice(3).join('\n') ?? '';
  } finally {
    Error.stackTraceLimit = limit;
    inspecting = false;
  }
}
