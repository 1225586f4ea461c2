// Wrappers over the clocks: Date, performance, process.hrtime and process.uptime read the clocks of
// the host whose code is running.
//
// Left out: performance.measure and timerify, and the time zone, which is the machine's.

import { performance } from 'node:perf_hooks';
import type { Host } from './host.ts';
import { registry } from './registry.ts';
import { defineValue, replace } from './replace.ts';

/** The machine has been up for a while before its processes start. */
const UPTIME_US = 1_000_000_000;

export function installClock(): void {
  defineValue(globalThis, 'Date', createDate());
  installPerformance();
  installProcessClock();
}

/** A plain function, as a proxy would make every `new Date` several times slower. */
function createDate(): (...values: number[]) => unknown {
  const { Date: RealDate, dateNow } = registry.real;
  function now(): number {
    const kernel = registry.active;
    return kernel === undefined ? dateNow() : kernel.host.clock.wallMs();
  }
  // The one argument may be a text or a date as well; it is handed on as it is.
  function wrapped(...values: number[]): unknown {
    if (new.target === undefined) return new RealDate(now()).toString();
    if (new.target === wrapped && values.length <= 1) {
      const [given] = values;
      if (values.length === 0) return new RealDate(now());
      return new RealDate(given === undefined ? Number.NaN : given);
    }
    const given = values.length === 0 ? [now()] : values;
    return Reflect.construct(RealDate, given, new.target === wrapped ? RealDate : new.target);
  }
  for (const key of Reflect.ownKeys(RealDate)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(RealDate, key);
    if (descriptor !== undefined) Reflect.defineProperty(wrapped, key, descriptor);
  }
  defineValue(wrapped, 'now', now);
  defineValue(RealDate.prototype, 'constructor', wrapped);
  return wrapped;
}

function installPerformance(): void {
  const prototype: object = Object.getPrototypeOf(performance);
  replace(prototype, 'now', (original) => {
    return function now(this: unknown) {
      const kernel = registry.active;
      return kernel === undefined ? original.call(this) : processAgeUs(kernel.host) / 1000;
    };
  });
  replace(prototype, 'mark', (original) => {
    return function mark(this: unknown, name: unknown, options?: unknown) {
      const kernel = registry.active;
      if (kernel === undefined) return original.call(this, name, options);
      const given = typeof options === 'object' && options !== null ? options : {};
      const startTime = processAgeUs(kernel.host) / 1000;
      return original.call(this, name, { startTime, ...given });
    };
  });
  const origin = Object.getOwnPropertyDescriptor(prototype, 'timeOrigin');
  Object.defineProperty(prototype, 'timeOrigin', {
    configurable: true,
    enumerable: true,
    get(this: unknown) {
      const kernel = registry.active;
      if (kernel === undefined) return origin?.get?.call(this) ?? origin?.value;
      const { clock } = kernel.host;
      return (clock.wallUs() - processAgeUs(kernel.host)) / 1000;
    },
  });
}

function installProcessClock(): void {
  const { hrtime, uptime } = registry.real;
  function wrappedHrtime(previous?: [number, number]): [number, number] {
    const kernel = registry.active;
    if (kernel === undefined) return hrtime(previous);
    const machineUs = kernel.host.clock.monotonicUs() + UPTIME_US;
    const seconds = Math.floor(machineUs / 1e6);
    const nanoseconds = (machineUs - seconds * 1e6) * 1000;
    if (previous === undefined) return [seconds, nanoseconds];
    const [sinceSeconds, sinceNanoseconds] = previous;
    const borrow = nanoseconds < sinceNanoseconds ? 1 : 0;
    return [seconds - sinceSeconds - borrow, nanoseconds - sinceNanoseconds + borrow * 1e9];
  }
  function bigint(): bigint {
    const kernel = registry.active;
    if (kernel === undefined) return hrtime.bigint();
    return BigInt(kernel.host.clock.monotonicUs() + UPTIME_US) * 1000n;
  }
  replace(process, 'hrtime', () => wrappedHrtime);
  defineValue(process.hrtime, 'bigint', bigint);
  replace(process, 'uptime', () => () => {
    const kernel = registry.active;
    return kernel === undefined ? uptime() : processAgeUs(kernel.host) / 1e6;
  });
}

function processAgeUs(host: Host): number {
  return host.clock.monotonicUs() - host.startedMonotonicUs;
}
