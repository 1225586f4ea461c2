// The timer behind `socket.setTimeout`. Activity only notes the time; the timer finds out whether it
// was early when it fires, so that a busy socket costs no timer per message.

import { Task } from '../kernel/event.ts';
import type { Cause, Host } from '../kernel/kernel.ts';

export class IdleTimer {
  readonly #event: Task;
  readonly #idleUs: number;
  readonly #onIdle: () => void;
  #lastActivityUs: number;
  #isStopped = false;

  constructor(host: Host, cause: Cause, milliseconds: number, onIdle: () => void) {
    this.#event = new Task(host, cause, () => this.#fire());
    this.#idleUs = Math.max(1, Math.trunc(milliseconds)) * 1000;
    this.#onIdle = onIdle;
    this.#lastActivityUs = host.clock.monotonicUs();
    this.#arm();
  }

  /** Something was sent or received. */
  touch(): void {
    const { host, sequence } = this.#event;
    this.#lastActivityUs = host.clock.monotonicUs();
    if (sequence === 0 && !this.#isStopped) this.#arm();
  }

  stop(): void {
    this.#isStopped = true;
    this.#event.host.kernel.cancel(this.#event);
  }

  #fire(): void {
    const idleUs = this.#event.host.clock.monotonicUs() - this.#lastActivityUs;
    if (idleUs >= this.#idleUs) this.#onIdle();
    else this.#arm();
  }

  #arm(): void {
    const event = this.#event;
    const { clock, kernel } = event.host;
    event.dueMonotonicUs = this.#lastActivityUs + this.#idleUs;
    kernel.enqueue(event, Math.max(kernel.nowUs, clock.trueTimeOf(event.dueMonotonicUs)));
  }
}
