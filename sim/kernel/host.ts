// A machine with one process. Everything that happens in a run happens on a host, which has its own
// clocks. A crash ends the process and all it had asked for; a restart begins another incarnation.

import { type Cause, createBackgroundCause } from './cause.ts';
import { HostClock } from './clock.ts';
import type { KernelEvent } from './event.ts';
import type { Kernel } from './kernel.ts';

export interface HostOptions {
  /** Wall clock minus true time at the start, milliseconds. Default 0. */
  readonly offsetMs?: number;
  /** How fast both clocks run, parts per million off true time. Default 0. */
  readonly driftPpm?: number;
  /**
   * Only the simulator's own code runs on it, which uses neither promises nor ticks: nothing is
   * drained after its events. Default false.
   */
  readonly isSimulated?: boolean;
}

export interface Leftovers {
  readonly timers: number;
  /** Those of `timers` that were unref'd. */
  readonly unrefTimers: number;
  readonly sockets: number;
}

export class Host {
  readonly kernel: Kernel;
  readonly name: string;
  /** 0 is the world; hosts are numbered in the order in which they were created. */
  readonly index: number;
  /** Whether its events may leave promises or ticks to be drained. */
  readonly needsDrain: boolean;
  readonly clock: HostClock;
  /** Counts the host's processes from 1. */
  incarnation = 1;
  /** The incarnation that is running, or 0 while the host is down. */
  liveIncarnation = 1;
  /** The cause of what its process does of its own accord. */
  background: Cause;
  /** Monotonic instant at which its process began. */
  startedMonotonicUs: number;
  /** Counts for the census, kept by timers and sockets. */
  readonly census = { timers: 0, unrefTimers: 0, sockets: 0 };
  /** Events wait until then; 0 when it is not paused. */
  pausedUntilUs = 0;
  #waiting: KernelEvent[] = [];
  readonly #crashListeners: (() => void)[] = [];

  constructor(kernel: Kernel, name: string, index: number, options: HostOptions) {
    this.kernel = kernel;
    this.name = name;
    this.index = index;
    this.needsDrain = options.isSimulated !== true;
    this.background = createBackgroundCause(name, 1);
    this.clock = new HostClock(kernel, {
      epochMs: kernel.epochMs,
      offsetMs: options.offsetMs ?? 0,
      driftPpm: options.driftPpm ?? 0,
      onDrift: () => kernel.moveTimers(this),
    });
    this.startedMonotonicUs = this.clock.monotonicUs();
  }

  get state(): 'up' | 'down' {
    return this.liveIncarnation === 0 ? 'down' : 'up';
  }

  /** Runs `run` as the next event of this host, under its background cause. */
  spawn(run: () => void): void {
    this.kernel.schedule(0, this, this.background, run);
  }

  /** Ends the process: its events, timers and sockets are gone. Harmless when it is down. */
  crash(): void {
    if (this.liveIncarnation === 0) return;
    this.liveIncarnation = 0;
    this.pausedUntilUs = 0;
    this.#waiting = [];
    for (const listener of this.#crashListeners) listener();
    this.census.timers = 0;
    this.census.unrefTimers = 0;
    this.census.sockets = 0;
  }

  /** Begins a new process that runs `start`; one that is still up crashes first. */
  restart(start: () => void): void {
    this.crash();
    this.incarnation += 1;
    this.liveIncarnation = this.incarnation;
    this.background = createBackgroundCause(this.name, this.incarnation);
    this.startedMonotonicUs = this.clock.monotonicUs();
    this.spawn(start);
  }

  /** Runs after the process has ended, in the order of registration, in every incarnation. */
  onCrash(listener: () => void): void {
    this.#crashListeners.push(listener);
  }

  /**
   * The process stands still: its events wait, also those that arrive meanwhile. Then those timers
   * that are due run first and the rest follows in its order, as in Node's event loop.
   */
  pause(durationUs: number): void {
    if (this.liveIncarnation === 0) return;
    const { kernel, liveIncarnation } = this;
    this.pausedUntilUs = Math.max(this.pausedUntilUs, kernel.nowUs + durationUs);
    kernel.schedule(durationUs, kernel.world, kernel.cause, () => {
      if (this.liveIncarnation === liveIncarnation) this.#resume();
    });
  }

  /** Keeps an event that came due during a pause. */
  defer(event: KernelEvent): void {
    this.#waiting.push(event);
  }

  leftovers(): Leftovers {
    return { ...this.census };
  }

  #resume(): void {
    if (this.pausedUntilUs > this.kernel.nowUs) return;
    this.pausedUntilUs = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    const { kernel } = this;
    for (const event of waiting) if (event.dueMonotonicUs >= 0) kernel.enqueue(event, kernel.nowUs);
    for (const event of waiting) if (event.dueMonotonicUs < 0) kernel.enqueue(event, kernel.nowUs);
  }
}
