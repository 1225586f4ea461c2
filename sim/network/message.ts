// A message between two simulated programs that needs no client library: one event, no bytes. It
// has the latency and the faults of its link, and no order among messages unless it is given one.

import { KernelEvent } from '../kernel/event.ts';
import type { Cause } from '../kernel/kernel.ts';
import type { Link } from './link.ts';

/** When the last message of a row arrives; one object for each row of messages. */
export interface MessageOrder {
  lastArrivalUs: number;
}

export interface MessageOptions {
  readonly deliver: () => void;
  /** Keeps a message that arrives at a partition. */
  readonly hold: (message: Message) => void;
  readonly order: MessageOrder | undefined;
}

export class Message extends KernelEvent {
  declare readonly link: Link;
  declare readonly order: MessageOrder | undefined;
  declare private readonly deliver: () => void;
  declare private readonly hold: (message: Message) => void;

  constructor(link: Link, cause: Cause, options: MessageOptions) {
    super(link.to, cause);
    this.link = link;
    this.order = options.order;
    this.deliver = options.deliver;
    this.hold = options.hold;
  }

  override fire(): void {
    if (this.link.isOpen) this.deliver();
    else if (this.link.blackHoles === 0) this.hold(this);
  }
}
