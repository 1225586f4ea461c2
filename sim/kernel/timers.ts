// Timers and immediates of code under test, with the semantics of Node's: delays are whole
// milliseconds of the host's monotonic clock, at least 1 and at most 2^31 - 1 (more becomes 1); an
// interval's next turn counts from the start of the last one, so lateness is never caught up.
//
// Left out: the warning Node prints for a delay that is too long, and AsyncLocalStorage, whose
// store does not follow a timer.

import type { Cause } from './cause.ts';
import { KernelEvent } from './event.ts';
import type { Host } from './host.ts';
import type { Kernel } from './kernel.ts';
import { registry } from './registry.ts';

export type Callback = (...values: unknown[]) => unknown;

const DELAY_MAX_MS = 0x7fff_ffff;

/** Delays by Node's rules: what is not from 1 to 2^31 - 1 becomes 1; fractions are cut off. */
export function normaliseDelay(delay: unknown): number {
  const milliseconds = Number(delay);
  return milliseconds >= 1 && milliseconds <= DELAY_MAX_MS ? Math.trunc(milliseconds) : 1;
}

/** What `setTimeout` and `setInterval` return in a run. */
export class Timeout extends KernelEvent {
  declare private readonly callback: Callback;
  declare private readonly values: readonly unknown[];
  declare private readonly delayUs: number;
  declare private readonly repeats: boolean;
  declare private isActive: boolean;
  declare private isRef: boolean;
  declare private id: number;

  constructor(
    kernel: Kernel,
    callback: Callback,
    delayMs: number,
    options: { readonly values: readonly unknown[]; readonly repeats: boolean },
  ) {
    super(kernel.host, kernel.cause);
    this.callback = callback;
    this.values = options.values;
    this.delayUs = delayMs * 1000;
    this.repeats = options.repeats;
    this.isActive = false;
    this.isRef = true;
    this.id = 0;
    this.#activate();
    this.#arm(this.host.clock.monotonicUs());
  }

  override fire(): void {
    if (!this.repeats) {
      this.#deactivate();
      this.#call();
      return;
    }
    const startUs = this.host.clock.monotonicUs();
    try {
      this.#call();
    } finally {
      if (this.isActive) this.#arm(startUs);
    }
  }

  /** Starts the delay anew, also after it has run. */
  refresh(): this {
    this.#activate();
    this.#arm(this.host.clock.monotonicUs());
    return this;
  }

  ref(): this {
    if (!this.isRef) {
      this.isRef = true;
      if (this.isActive && this.#isLive()) this.host.census.unrefTimers -= 1;
    }
    return this;
  }

  unref(): this {
    if (this.isRef) {
      this.isRef = false;
      if (this.isActive && this.#isLive()) this.host.census.unrefTimers += 1;
    }
    return this;
  }

  hasRef(): boolean {
    return this.isRef;
  }

  /** Cancels it; the same as `clearTimeout`. */
  close(): this {
    this.#deactivate();
    this.host.kernel.cancel(this);
    return this;
  }

  /** A number that `clearTimeout` takes in its place. */
  [Symbol.toPrimitive](): number {
    if (this.id === 0) this.id = rememberTimer(this);
    return this.id;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #call(): void {
    const callback = this.callback;
    if (this.values.length === 0) callback.call(this);
    else callback.apply(this, [...this.values]);
  }

  #arm(startUs: number): void {
    const { clock, kernel } = this.host;
    this.dueMonotonicUs = startUs + this.delayUs;
    kernel.enqueue(this, Math.max(kernel.nowUs, clock.trueTimeOf(this.dueMonotonicUs)));
  }

  #isLive(): boolean {
    return this.incarnation === this.host.liveIncarnation && this.incarnation !== 0;
  }

  #activate(): void {
    if (this.isActive || !this.#isLive()) return;
    this.isActive = true;
    this.host.census.timers += 1;
    if (!this.isRef) this.host.census.unrefTimers += 1;
  }

  #deactivate(): void {
    if (!this.isActive) return;
    this.isActive = false;
    if (this.id !== 0) forgetTimer(this, this.id);
    if (!this.#isLive()) return;
    this.host.census.timers -= 1;
    if (!this.isRef) this.host.census.unrefTimers -= 1;
  }
}

/** What `setImmediate` returns in a run: an event at this instant, after those already due. */
export class Immediate extends KernelEvent {
  declare private readonly callback: Callback;
  declare private readonly values: readonly unknown[];
  declare private isRef: boolean;

  constructor(host: Host, cause: Cause, callback: Callback, values: readonly unknown[]) {
    super(host, cause);
    this.callback = callback;
    this.values = values;
    this.isRef = true;
    host.kernel.enqueue(this, host.kernel.nowUs);
  }

  override fire(): void {
    this.callback.apply(this, [...this.values]);
  }

  ref(): this {
    this.isRef = true;
    return this;
  }

  unref(): this {
    this.isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.isRef;
  }

  [Symbol.dispose](): void {
    this.host.kernel.cancel(this);
  }
}

const rememberedTimers = new WeakMap<Kernel, Map<number, Timeout>>();
const timerIds = new WeakMap<Kernel, number>();

function rememberTimer(timer: Timeout): number {
  const { kernel } = timer.host;
  const id = (timerIds.get(kernel) ?? 0) + 1;
  timerIds.set(kernel, id);
  let timers = rememberedTimers.get(kernel);
  if (timers === undefined) {
    timers = new Map();
    rememberedTimers.set(kernel, timers);
  }
  timers.set(id, timer);
  return id;
}

function forgetTimer(timer: Timeout, id: number): void {
  rememberedTimers.get(timer.host.kernel)?.delete(id);
}

/** Clears a timer of a run, given as object, number or numeric string; false: it is not one. */
export function clearSimulatedTimer(handle: unknown): boolean {
  if (handle instanceof Timeout) {
    handle.close();
    return true;
  }
  const kernel = registry.active;
  if (kernel === undefined || (typeof handle !== 'number' && typeof handle !== 'string')) {
    return false;
  }
  rememberedTimers.get(kernel)?.get(Number(handle))?.close();
  return true;
}
