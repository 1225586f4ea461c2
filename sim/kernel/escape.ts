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

/** Resources that are drained with every event; they never leave the run. */
const DRAINED = new Set(['PROMISE', 'TickObject', 'Microtask']);
/** Formatting a stack reads source maps; that serves the developer and decides nothing. */
const HARMLESS_FRAMES = /prepareStackTrace|node:internal\/source_map\//;
const STACK_FRAMES = 60;

let inspecting = false;

export interface EscapeWatch {
  enable(): void;
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
      if (DRAINED.has(type) || resource instanceof AsyncResource) return;
      reportEscape(type);
    },
  });
  return {
    enable: () => hook.enable(),
    disable: () => hook.disable(),
    activity: () => activity,
  };
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
