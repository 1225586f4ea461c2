// A message between two simulated programs that needs no client library: one event, no bytes. It
// has the latency and the faults of its link, and no order among messages unless it is given one.

import { KernelEvent } from '../kernel/event.ts';
import type { Cause } from '../kernel/kernel.ts';
import type { Link } from './link.ts';

/** When the last message of a row arrives; one object for each row of messages. */
export interface MessageOrder {
  lastArrivalUs: number;
}

/** Keeps a message that arrives at a partition. */
export type Hold = (message: Message) => void;

export class Message extends KernelEvent {
  declare readonly link: Link;
  declare readonly order: MessageOrder | undefined;
  declare private readonly deliver: () => void;
  declare private readonly hold: Hold;

  constructor(
    link: Link,
    cause: Cause,
    deliver: () => void,
    hold: Hold,
    order: MessageOrder | undefined,
  ) {
    super(link.to, cause);
    this.link = link;
    this.order = order;
    this.deliver = deliver;
    this.hold = hold;
  }

  override fire(): void {
    if (this.link.isOpen) this.deliver();
    else if (this.link.blackHoles === 0) this.hold(this);
  }
}
