// Drives a kernel from its first event to its last. Two drives give the same run:
//
// - `sync` runs the whole of it in one synchronous stretch, draining after each event. Nothing else
//   in the process runs meanwhile, so neighbouring code never sees virtual time.
// - `turns` takes real turns of Node's event loop after each event, for code whose answers come
//   through native callbacks (HTTP/2). Give it a process of its own.
//
// Safety: what is ready at an instant runs before time moves. Liveness: a run ends when nothing is
// left to happen, when its time is over, or when its budget of events is spent.

import { drain, probeDrain } from './drain.ts';
import { HarnessError } from './errors.ts';
import { type EscapeWatch, watchEscapes } from './escape.ts';
import { captureFailures } from './failures.ts';
import type { Kernel, Step } from './kernel.ts';
import { registry } from './registry.ts';

export type Drive = 'sync' | 'turns';

/**
 * How a run ended. `done`: nothing was left to do, or its time was over. `stuck`: nothing was left
 * to happen although `isFinished` says there was something to do. `out-of-budget`: too many events.
 */
export interface Ending {
  readonly kind: 'done' | 'stuck' | 'out-of-budget';
}

export interface SimulateOptions {
  /** True time at which the run ends, microseconds. Events due then still run. */
  readonly untilUs: number;
  readonly drive: Drive;
  /** Asked when the agenda is empty before the end. Default: yes. */
  readonly isFinished?: () => boolean;
}

/** Turns of the event loop without activity after which nothing more is expected of them. */
const QUIET_TURNS = 2;

const started = new WeakSet<Kernel>();

/**
 * Runs `body` on the world host at time 0 and then everything that follows from it. Runs wait for
 * one another. Call it from anywhere: it takes a real turn of the event loop first.
 *
 * Rejects with an EscapeError when code under test left the simulation, with a HarnessError when the
 * harness failed (`cause` says how). Failures of other hosts do not end a run.
 */
export function simulate(
  kernel: Kernel,
  options: SimulateOptions,
  body: () => void,
): Promise<Ending> {
  if (started.has(kernel)) {
    return Promise.reject(new HarnessError('misuse', 'A kernel runs once; create another one.'));
  }
  started.add(kernel);
  const run = registry.queue.then(
    () =>
      new Promise<Ending>((resolve, reject) => {
        registry.real.setImmediate(() => {
          new Run(kernel, options, resolve, reject).start(body);
        });
      }),
  );
  registry.queue = run.catch(() => {});
  return run;
}

class Run {
  readonly #kernel: Kernel;
  readonly #options: SimulateOptions;
  readonly #resolve: (ending: Ending) => void;
  readonly #reject: (error: unknown) => void;
  readonly #watch: EscapeWatch = watchEscapes();
  #releaseFailures: () => void = () => {};

  constructor(
    kernel: Kernel,
    options: SimulateOptions,
    resolve: (ending: Ending) => void,
    reject: (error: unknown) => void,
  ) {
    this.#kernel = kernel;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(body: () => void): void {
    try {
      probeDrain();
    } catch (error) {
      this.#reject(error);
      return;
    }
    this.#enter();
    this.#kernel.runBody(body);
    drain(this.#kernel);
    if (this.#options.drive === 'sync') this.#finish(this.#runSync());
    else this.#takeTurns();
  }

  #runSync(): Step {
    const kernel = this.#kernel;
    let step: Step = 'ran';
    while (step === 'ran' && kernel.fault === undefined) step = this.#runOne();
    return step;
  }

  /** Waits for quiet turns, runs the next event, and so on. */
  #takeTurns(): void {
    let quiet = 0;
    let seen = this.#watch.activity();
    const turn = (): void => {
      const activity = this.#watch.activity();
      quiet = activity === seen ? quiet + 1 : 0;
      const step = quiet < QUIET_TURNS ? 'ran' : this.#runOne();
      if (quiet >= QUIET_TURNS) quiet = 0;
      seen = this.#watch.activity();
      if (step !== 'ran' || this.#kernel.fault !== undefined) this.#finish(step);
      else this.#nextTurn(turn);
    };
    this.#nextTurn(turn);
  }

  #runOne(): Step {
    const step = this.#kernel.runNext(this.#options.untilUs);
    if (step === 'ran' && this.#kernel.host.needsDrain) drain(this.#kernel);
    return step;
  }

  #nextTurn(turn: () => void): void {
    registry.exempt += 1;
    registry.real.setImmediate(turn);
    registry.exempt -= 1;
  }

  #enter(): void {
    this.#releaseFailures = captureFailures(this.#kernel);
    registry.active = this.#kernel;
    // Only the drive that waits for quiet turns has to know of promises.
    this.#watch.enable({ promises: this.#options.drive === 'turns' });
  }

  #finish(step: Step): void {
    this.#watch.disable();
    registry.active = undefined;
    this.#releaseFailures();
    const { fault } = this.#kernel;
    if (fault !== undefined) this.#reject(fault);
    else this.#resolve({ kind: this.#nameEnding(step) });
  }

  #nameEnding(step: Step): Ending['kind'] {
    if (step === 'out-of-budget') return 'out-of-budget';
    const { isFinished } = this.#options;
    return step === 'idle' && isFinished !== undefined && !isFinished() ? 'stuck' : 'done';
  }
}
