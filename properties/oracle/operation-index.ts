// The operations of a run by id. What happens to one operation happens within a moment, so a run asks
// for the newest ones over and over: they stand first in their slots. Older ones are hardly ever asked
// for, and a slot's chain is walked for them. Nothing is ever moved, which keeps adding cheap.

import type { OperationRecord } from './records.ts';

/** A power of two, far more than the operations that are ever in flight at once. */
const SLOTS = 4096;

export class OperationIndex {
  readonly #newest: (OperationRecord | undefined)[] = new Array(SLOTS).fill(undefined);

  *all(): Iterable<OperationRecord> {
    for (const newest of this.#newest) {
      for (let each = newest; each !== undefined; each = each.olderInSlot) yield each;
    }
  }

  /** An id that comes again hides what had it before. */
  add(operation: OperationRecord): void {
    const slot = slotOf(operation.id);
    operation.olderInSlot = this.#newest[slot];
    this.#newest[slot] = operation;
  }

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
