// A message between two simulated programs that needs no client library: one event, no bytes. It
// has the latency and the faults of its link, but no order among messages.

import { KernelEvent } from '../kernel/event.ts';
import type { Cause } from '../kernel/kernel.ts';
import type { Link } from './link.ts';

export class Message extends KernelEvent {
  readonly link: Link;
  readonly #deliver: () => void;
  readonly #hold: (message: Message) => void;

  constructor(link: Link, cause: Cause, deliver: () => void, hold: (message: Message) => void) {
    super(link.to, cause);
    this.link = link;
    this.#deliver = deliver;
    this.#hold = hold;
  }

  override fire(): void {
    if (this.link.isOpen) this.#deliver();
    else if (this.link.blackHoles === 0) this.#hold(this);
  }
}
