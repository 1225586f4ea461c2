// The kernel: true time, the agenda, the hosts and the randomness of one run. It runs one event at a
// time, each for one host under one cause; what an event schedules inherits both.
//
// It does not drain promises and knows no platform: `simulate` drives it, the wrappers ask it.

import { Cause, type Purpose } from './cause.ts';
import { RunDigest } from './digest.ts';
import { HarnessError } from './errors.ts';
import { type KernelEvent, Task } from './event.ts';
import { EventHeap } from './heap.ts';
import { Host, type HostOptions } from './host.ts';
import { KeyedRandom } from './random.ts';
import type { SimulatedNetwork } from './simulated-network.ts';

export type { Cause, Purpose } from './cause.ts';
export { definePurpose } from './cause.ts';
export type { KernelEvent } from './event.ts';
export type { Host } from './host.ts';

/** 2026-01-01T00:00:00Z. */
const DEFAULT_EPOCH_MS = 1_767_225_600_000;
/**
 * The agenda is swept when stale entries are more than half of it and more than this. A small agenda
 * is quicker, and a pass over so few entries costs less than popping each of them.
 */
const SWEEP_ABOVE = 48;

export interface KernelOptions {
  /** Any integer; with the code it decides the whole run. */
  readonly seed: number;
  /** Wall time at the run's start, milliseconds since the Unix epoch. Default 2026-01-01. */
  readonly epochMs?: number;
  /** Ends the run as out of budget after this many events. Default 1e9. */
  readonly budgetEvents?: number;
}

/** What `runNext` found: an event, none at all, none that is due, or no budget. */
export type Step = 'ran' | 'idle' | 'beyond' | 'out-of-budget';

export class Kernel {
  /** True time since the run's start, whole microseconds. */
  nowUs = 0;
  readonly epochMs: number;
  /** The harness's own host, on true time. An exception on it ends the run. */
  readonly world: Host;
  /** Whose event is being run, and on whose behalf. */
  host: Host;
  cause: Cause;
  readonly digest = new RunDigest();
  /** Events run so far. */
  eventsRun = 0;
  /** Why the run cannot go on: an escape, or a failure of the harness. The first one stays. */
  fault: Error | undefined;
  /** Told of an exception or rejection that code of a host left unhandled, before it crashes. */
  onHostFailure: (host: Host, error: unknown) => void = () => {};
  /** Where sockets of code under test lead; set by the network. */
  network: SimulatedNetwork | undefined;

  readonly #budgetEvents: number;
  readonly #heap = new EventHeap();
  readonly #hosts: Host[] = [];
  readonly #random: KeyedRandom;
  #sequence = 0;
  #stale = 0;

  constructor(options: KernelOptions) {
    this.epochMs = options.epochMs ?? DEFAULT_EPOCH_MS;
    this.#budgetEvents = options.budgetEvents ?? 1e9;
    this.#random = new KeyedRandom(options.seed);
    this.world = new Host(this, 'world', 0, {});
    this.#hosts.push(this.world);
    this.host = this.world;
    this.cause = this.world.background;
  }

  get hosts(): readonly Host[] {
    return this.#hosts;
  }

  /** Entries of the agenda, those of cancelled events that were not swept yet included. */
  get agendaSize(): number {
    return this.#heap.size;
  }

  createHost(name: string, options: HostOptions = {}): Host {
    if (this.findHost(name) !== undefined) throw new Error(`Expected one host named ${name}.`);
    const host = new Host(this, name, this.#hosts.length, options);
    this.#hosts.push(host);
    return host;
  }

  findHost(name: string): Host | undefined {
    return this.#hosts.find((host) => host.name === name);
  }

  /** A cause of the world's choosing; `id` is 1..2^31-1 and names it in every draw. */
  createCause(id: number): Cause {
    if (!Number.isInteger(id) || id < 1 || id > 0x7fff_ffff) {
      throw new Error(`Expected a cause id from 1 to 2147483647, got ${id}.`);
    }
    return new Cause(id);
  }

  /**
   * Runs `run` in `delayUs` of true time (a whole number, at least 0) on `host` under `cause`. It is
   * dropped when the host's present process has ended by then, and waits while it is paused.
   */
  schedule(delayUs: number, host: Host, cause: Cause, run: () => void): KernelEvent {
    if (!Number.isInteger(delayUs) || delayUs < 0) {
      throw new Error(`Expected a delay of whole microseconds from 0, got ${delayUs}.`);
    }
    const event = new Task(host, cause, run);
    this.enqueue(event, this.nowUs + delayUs);
    return event;
  }

  /** Puts an event into the agenda; one that is there already is moved. */
  enqueue(event: KernelEvent, atUs: number): void {
    if (event.sequence !== 0) this.cancel(event);
    if (event.incarnation === 0 || event.incarnation !== event.host.liveIncarnation) return;
    this.#sequence += 1;
    event.sequence = this.#sequence;
    this.#heap.push(atUs, this.#sequence, event);
  }

  /** Takes an event out of the agenda; harmless when it is not there. */
  cancel(event: KernelEvent): void {
    if (event.sequence === 0) return;
    event.sequence = 0;
    this.#stale += 1;
    if (this.#stale > SWEEP_ABOVE && this.#stale * 2 > this.#heap.size) {
      this.#heap.sweep();
      this.#stale = 0;
    }
  }

  /** Moves a host's pending timers to where they are due by its clock as it runs now. */
  moveTimers(host: Host): void {
    this.#heap.rebuild((event, sequence, atUs) => {
      if (event.sequence !== sequence) return undefined;
      if (event.host !== host || event.dueMonotonicUs < 0) return atUs;
      return Math.max(this.nowUs, host.clock.trueTimeOf(event.dueMonotonicUs));
    });
    this.#stale = 0;
  }

  /** Runs the next event that is due by `untilUs`; otherwise time moves no further than that. */
  runNext(untilUs: number): Step {
    const heap = this.#heap;
    for (;;) {
      const atUs = heap.headUs;
      if (atUs > untilUs) {
        this.nowUs = Math.max(this.nowUs, heap.size === 0 ? this.nowUs : untilUs);
        return heap.size === 0 ? 'idle' : 'beyond';
      }
      const event = heap.pop();
      if (event === undefined) return 'idle';
      if (event.sequence !== heap.poppedSequence) {
        this.#stale -= 1;
        continue;
      }
      event.sequence = 0;
      const { host } = event;
      if (event.incarnation !== host.liveIncarnation) continue;
      this.nowUs = atUs;
      if (host.pausedUntilUs !== 0) {
        host.defer(event);
        continue;
      }
      if (this.eventsRun === this.#budgetEvents) return 'out-of-budget';
      this.#run(event, host);
      return 'ran';
    }
  }

  /** Runs code outside the agenda as an event of the world: the body of a run. */
  runBody(body: () => void): void {
    this.host = this.world;
    this.cause = this.world.background;
    try {
      body();
    } catch (error) {
      this.failHost(error);
    }
  }

  /** Code of the current host threw, or left a rejection: its process ends, as Node's would. */
  failHost(error: unknown): void {
    const { host } = this;
    if (host === this.world) {
      const detail = error instanceof Error ? error.message : String(error);
      this.fault ??= new HarnessError('world-failure', `The harness failed: ${detail}`, {
        cause: error,
      });
      return;
    }
    if (host.liveIncarnation === 0) return;
    this.onHostFailure(host, error);
    host.crash();
  }

  /** A uniform number in [0, 1), keyed by the seed, the purpose and the current cause. */
  draw(purpose: Purpose): number {
    return this.#random.draw(this.cause, purpose);
  }

  /** The same for a cause other than the current one. */
  drawFor(cause: Cause, purpose: Purpose): number {
    return this.#random.draw(cause, purpose);
  }

  /** A uniform integer from 0 to `belowExclusive` - 1. */
  drawInteger(purpose: Purpose, belowExclusive: number): number {
    return Math.floor(this.#random.draw(this.cause, purpose) * belowExclusive);
  }

  /** 32 random bits as an unsigned integer. */
  drawBits(purpose: Purpose): number {
    return this.#random.drawBits(this.cause, purpose);
  }

  /** An exponentially distributed number with this mean; at most 37 times the mean. */
  drawExponential(purpose: Purpose, mean: number): number {
    return this.drawExponentialFor(this.cause, purpose, mean);
  }

  drawExponentialFor(cause: Cause, purpose: Purpose, mean: number): number {
    return -Math.log(1 - this.#random.draw(cause, purpose)) * mean;
  }

  #run(event: KernelEvent, host: Host): void {
    const { cause } = event;
    this.host = host;
    this.cause = cause;
    this.eventsRun += 1;
    this.digest.add(this.nowUs, Math.floor(this.nowUs / 0x1_0000_0000), host.index, cause.id);
    try {
      event.fire();
    } catch (error) {
      this.failHost(error);
    }
  }
}
