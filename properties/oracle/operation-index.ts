// The operations of a run by id. What happens to one operation happens within a moment, so those of
// the last moment are found without a search: each is also kept in a slot given by its id.

import type { OperationRecord } from './records.ts';

/** A power of two; more than the operations that are usually in flight. */
const SLOTS = 256;

export class OperationIndex {
  readonly #all = new Map<number, OperationRecord>();
  readonly #recent: (OperationRecord | undefined)[] = Array.from({ length: SLOTS });

  all(): Iterable<OperationRecord> {
    return this.#all.values();
  }

  add(operation: OperationRecord): void {
    this.#all.set(operation.id, operation);
    this.#recent[slotOf(operation.id)] = operation;
  }

  find(id: number): OperationRecord | undefined {
    const recent = this.#recent[slotOf(id)];
    if (recent?.id === id) return recent;
    const operation = this.#all.get(id);
    if (operation !== undefined) this.#recent[slotOf(id)] = operation;
    return operation;
  }
}

/** The low bits of an id tell the attempt, the rest tells the request; neighbours get other slots. */
function slotOf(id: number): number {
  return (id ^ (id >>> 5)) & (SLOTS - 1);
}
