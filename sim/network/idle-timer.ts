// The timer behind `socket.setTimeout`. Activity only notes the time; the timer finds out whether it
// was early when it fires, so that a busy socket costs no timer per message.

import { TimerEvent } from '../kernel/event.ts';
import type { Cause, Host } from '../kernel/kernel.ts';

export class IdleTimer extends TimerEvent {
  readonly #idleUs: number;
  readonly #onIdle: () => void;
  #lastActivityUs: number;
  #isStopped = false;

  constructor(host: Host, cause: Cause, milliseconds: number, onIdle: () => void) {
    super(host, cause);
    this.#idleUs = Math.max(1, Math.trunc(milliseconds)) * 1000;
    this.#onIdle = onIdle;
    this.#lastActivityUs = host.clock.monotonicUs();
    this.#arm();
  }

  /** Something was sent or received. */
  touch(): void {
    this.#lastActivityUs = this.host.clock.monotonicUs();
    if (this.sequence === 0 && !this.#isStopped) this.#arm();
  }

  stop(): void {
    this.#isStopped = true;
    this.host.kernel.cancel(this);
  }

  override fire(): void {
    const idleUs = this.host.clock.monotonicUs() - this.#lastActivityUs;
    if (idleUs >= this.#idleUs) this.#onIdle();
    else this.#arm();
  }

  #arm(): void {
    const { clock, kernel } = this.host;
    this.dueMonotonicUs = this.#lastActivityUs + this.#idleUs;
    kernel.enqueue(this, Math.max(kernel.nowUs, clock.trueTimeOf(this.dueMonotonicUs)));
  }
}
