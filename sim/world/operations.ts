// Every call of `check` in flight, and which of them a script on the wire belongs to.
//
// A script normally leaves in the chain of events its own check started, so the kernel's cause names
// it. It does not when the limiter held the check back until its connection was ready, or when a
// client sends a command again by itself: then the chain is the connection's. Those leave in the
// order of their checks, so the live check that has sent least, oldest first, is taken; and a script
// that no live check can have asked for stays unattributed, which is a finding of its own.

import type { Cause } from '../kernel/kernel.ts';
import type { Request } from '../scenario/scenario.ts';

/** Attempts of one request are at most 31, so the id of an operation stays below 2^30. */
const attemptsPerRequest = 32;

/** The id of the given attempt (1 is the first) of a request, stable under shrinking. */
export function operationId(requestId: number, attempt: number): number {
  return requestId * attemptsPerRequest + attempt;
}

/** One call of `check` on one replica. */
export interface Operation {
  readonly id: number;
  readonly request: Request;
  readonly attempt: number;
  /** Whatever this operation makes happen is drawn and attributed under this cause. */
  readonly cause: Cause;
  /** The replica asked, and which life of its process. Set when the check starts. */
  host: string;
  incarnation: number;
  started: boolean;
  settled: boolean;
  scriptsSent: number;
}

export class Operations {
  readonly #all = new Map<number, Operation>();
  readonly #live = new Map<string, Set<Operation>>();

  /** Adds an attempt that has reached its gateway. */
  add(request: Request, attempt: number, cause: Cause): Operation {
    const id = operationId(request.id, attempt);
    const operation: Operation = {
      id,
      request,
      attempt,
      cause,
      host: '',
      incarnation: 0,
      started: false,
      settled: false,
      scriptsSent: 0,
    };
    this.#all.set(id, operation);
    return operation;
  }

  start(operation: Operation, host: string, incarnation: number): void {
    operation.host = host;
    operation.incarnation = incarnation;
    operation.started = true;
    let live = this.#live.get(host);
    if (live === undefined) this.#live.set(host, (live = new Set()));
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

  get(id: number): Operation | undefined {
    return this.#all.get(id);
  }

  /** Ids of checks whose process lives and which have no answer. */
  unsettled(): number[] {
    const ids: number[] = [];
    for (const live of this.#live.values()) for (const operation of live) ids.push(operation.id);
    return ids.sort((a, b) => a - b);
  }

  /**
   * The operation a script sent by `host` belongs to: the one whose chain of events this is, while
   * its check lives; else the live check that has sent least. Undefined when there is none: then no
   * check that still waits can have asked for it.
   */
  attribute(host: string, causeId: number): Operation | undefined {
    const own = this.#all.get(causeId);
    const found = own !== undefined && own.host === host ? own : this.#leastSent(host);
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
