// An entry of the kernel's agenda: something that will happen on one host, on behalf of one cause.
// Everything that happens in a run is such an event. Subclasses carry what they need as fields, so
// that an event costs one object and no closure. Fields are declared and assigned, not defined: V8
// takes far longer to define a field when a class has several subclasses. The fewer subclasses a run
// uses, the better: up to four shapes of object are told apart in line.

import type { Cause } from './cause.ts';
import type { Host } from './host.ts';

export abstract class KernelEvent {
  /** Place in the agenda among events of one instant; 0 while it is not in the agenda. */
  declare sequence: number;
  declare readonly host: Host;
  /** The process it belongs to: it is dropped when that process has ended. */
  declare readonly incarnation: number;
  declare readonly cause: Cause;
  /**
   * A timer is due at an instant of its host's monotonic clock, so it moves when that clock drifts,
   * and runs before everything else that waited for a paused host, as in Node. -1: no timer.
   */
  declare dueMonotonicUs: number;

  constructor(host: Host, cause: Cause) {
    this.sequence = 0;
    this.host = host;
    this.incarnation = host.liveIncarnation;
    this.cause = cause;
    this.dueMonotonicUs = -1;
  }

  abstract fire(): void;
}

/** An event given by a function. */
export class Task extends KernelEvent {
  declare private readonly run: () => void;

  constructor(host: Host, cause: Cause, run: () => void) {
    super(host, cause);
    this.run = run;
  }

  override fire(): void {
    this.run();
  }
}
