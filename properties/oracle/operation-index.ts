// The operations of a run by id. What happens to one operation happens within a moment, so a run asks
// for the newest ones over and over: they stand first in their slots. An operation that is finished
// is let go when its slot is used again: what lives as long as the run makes all of it slower, and
// what is let go soon costs the collector nothing.

import type { OperationRecord } from './records.ts';

/** A power of two, more than the operations that are in flight at once. */
const SLOTS = 256;

export class OperationIndex {
  readonly #newest: (OperationRecord | undefined)[] = new Array(SLOTS).fill(undefined);

  /** Those that are not finished, and some that are. */
  *all(): Iterable<OperationRecord> {
    for (const newest of this.#newest) {
      for (let each = newest; each !== undefined; each = each.olderInSlot) yield each;
    }
  }

  /** An id that comes again hides what had it before. */
  add(operation: OperationRecord): void {
    const slot = slotOf(operation.id);
    let older = this.#newest[slot];
    while (older !== undefined && isFinished(older)) older = older.olderInSlot;
    operation.olderInSlot = older;
    this.#newest[slot] = operation;
  }

  /** Undefined for an operation that never was, or is finished. */
  find(id: number): OperationRecord | undefined {
    let operation = this.#newest[slotOf(id)];
    while (operation !== undefined && operation.id !== id) operation = operation.olderInSlot;
    return operation;
  }
}

/** The low bits of an id tell the attempt, the rest tells the request; neighbours get other slots. */
function slotOf(id: number): number {
  return (id ^ (id >>> 5)) & (SLOTS - 1);
}

/** Everything that is due to happen to it has happened, once. Whatever comes after is a finding. */
function isFinished(operation: OperationRecord): boolean {
  const { settlements, answers, answeredAllowed, upstreams, isPending } = operation;
  const isExecuted = operation.scriptsExecuted > 0 || operation.bucket === undefined;
  const isServed = upstreams > 0 || !answeredAllowed;
  return isExecuted && settlements > 0 && answers > 0 && isServed && !isPending;
}
