// Every call of `check` in flight, and which of them a script on the wire belongs to.
//
// An operation is the cause of all it makes happen: its draws, its messages, its scripts. A script
// normally leaves in the chain of events its own check started, so the kernel's cause is its
// operation. It is not when the limiter held the check back until its connection was ready, or when
// a client sends a command again by itself: then the chain is the connection's. Those leave in the
// order of their checks, so the live check that has sent least, oldest first, is taken; and a script
// that no live check can have asked for stays unattributed, which is a finding of its own.

import { Cause } from '../kernel/cause.ts';
import type { KernelEvent } from '../kernel/kernel.ts';
import type { Request } from '../scenario/scenario.ts';

/** Attempts of one request are at most 31, so the id of an operation stays below 2^30. */
const attemptsPerRequest = 32;

/** The id of the given attempt (1 is the first) of a request, stable under shrinking. */
export function operationId(requestId: number, attempt: number): number {
  return requestId * attemptsPerRequest + attempt;
}

/** One attempt of a request, and the call of `check` on one replica it leads to. */
export class Operation extends Cause {
  declare readonly request: Request;
  declare readonly attempt: number;
  /** The replica asked; empty until its check starts. */
  declare host: string;
  declare settled: boolean;
  declare scriptsSent: number;
  /** The gateway's deadline, while it waits for the replica's answer. */
  declare deadline: KernelEvent | undefined;

  constructor(request: Request, attempt: number) {
    super(operationId(request.id, attempt));
    this.request = request;
    this.attempt = attempt;
    this.host = '';
    this.settled = false;
    this.scriptsSent = 0;
    this.deadline = undefined;
  }
}

export class Operations {
  readonly #live = new Map<string, Set<Operation>>();

  start(operation: Operation, host: string): void {
    operation.host = host;
    let live = this.#live.get(host);
    if (live === undefined) {
      live = new Set();
      this.#live.set(host, live);
    }
    live.add(operation);
  }

  settle(operation: Operation): void {
    operation.settled = true;
    this.#live.get(operation.host)?.delete(operation);
  }

  /** Forgets the checks of a process that has ended. */
  drop(host: string): void {
    this.#live.get(host)?.clear();
  }

  /** Ids of checks whose process lives and which have no answer. */
  unsettled(): number[] {
    const ids: number[] = [];
    for (const live of this.#live.values()) for (const { id } of live) ids.push(id);
    return ids.sort((a, b) => a - b);
  }

  /**
   * The operation a script sent by `host` belongs to: the one whose chain of events this is, while
   * its check lives; else the live check that has sent least. Undefined when there is none: then no
   * check that still waits can have asked for it.
   */
  attribute(host: string, cause: Cause): Operation | undefined {
    const isOwn = cause instanceof Operation && cause.host === host;
    const found = isOwn ? cause : this.#leastSent(host);
    if (found === undefined || found.settled) return undefined;
    found.scriptsSent += 1;
    return found;
  }

  #leastSent(host: string): Operation | undefined {
    let least: Operation | undefined;
    for (const operation of this.#live.get(host) ?? []) {
      if (operation.scriptsSent === 0) return operation;
      if (least === undefined || operation.scriptsSent < least.scriptsSent) least = operation;
    }
    return least;
  }
}
