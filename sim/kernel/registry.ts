// The one thing all wrappers share: which run is active, and the platform's own functions. It lives
// on the global object, so that two copies of the simulator in one process (built and source, or
// two module graphs of a test runner) install their wrappers once and see the same run.

import { performance } from 'node:perf_hooks';
import type { Kernel } from './kernel.ts';

export interface Registry {
  /** The run in whose virtual time all code lives now; undefined: the real platform. */
  active: Kernel | undefined;
  /** Whether the wrappers are in place. */
  installed: boolean;
  /** Above 0 while the simulator itself takes something from the real platform. */
  exempt: number;
  /** Settles when the runs that were asked for so far have ended. */
  queue: Promise<unknown>;
  readonly real: RealPlatform;
}

export type RealPlatform = ReturnType<typeof captureRealPlatform>;

const KEY = Symbol.for('weir.simulator.registry');

export const registry: Registry = findRegistry() ?? createRegistry();

function findRegistry(): Registry | undefined {
  const found: unknown = Reflect.get(globalThis, KEY);
  return isRegistry(found) ? found : undefined;
}

function isRegistry(value: unknown): value is Registry {
  return typeof value === 'object' && value !== null && 'real' in value && 'active' in value;
}

function createRegistry(): Registry {
  const created: Registry = {
    active: undefined,
    installed: false,
    exempt: 0,
    queue: Promise.resolve(),
    real: captureRealPlatform(),
  };
  Object.defineProperty(globalThis, KEY, { value: created });
  return created;
}

function captureRealPlatform() {
  const { now } = performance;
  const { hrtime, uptime } = process;
  return {
    Date: globalThis.Date,
    dateNow: Date.now,
    mathRandom: Math.random,
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    setImmediate: globalThis.setImmediate,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
    clearImmediate: globalThis.clearImmediate,
    performanceNow: () => now.call(performance),
    hrtime,
    uptime: () => uptime.call(process),
  };
}
