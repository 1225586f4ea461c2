// What the checks of a run ended with: as few bytes per check as the verdict digest needs, since they
// are kept to the end of the run. Whole outcomes are kept only when asked for.

import { createHash } from 'node:crypto';
import type { Outcome } from './history.ts';

/** What a check of the run ended with. */
export interface SettledOperation {
  readonly operation: number;
  readonly allowed: boolean;
  readonly reason: string;
  /** Only when the run was asked to keep outcomes. */
  readonly outcome: Outcome | undefined;
}

const firstCapacity = 1024;

export class Settlements {
  #ids = new Float64Array(firstCapacity);
  /** Twice the index of the reason, plus one if allowed. */
  #verdicts = new Uint32Array(firstCapacity);
  #size = 0;
  readonly #reasons: string[] = [];
  readonly #outcomes: (Outcome | undefined)[] | undefined;

  constructor(keepOutcomes: boolean) {
    this.#outcomes = keepOutcomes ? [] : undefined;
  }

  /** How many checks have settled. */
  get size(): number {
    return this.#size;
  }

  add(operation: number, outcome: Outcome | undefined, error: string | undefined): void {
    if (this.#size === this.#ids.length) this.#grow();
    const reason = error === undefined ? (outcome?.reason ?? '') : 'error';
    const isAllowed = outcome?.allowed === true ? 1 : 0;
    this.#ids[this.#size] = operation;
    this.#verdicts[this.#size] = 2 * this.#indexOf(reason) + isAllowed;
    this.#outcomes?.push(outcome);
    this.#size += 1;
  }

  /** Every settled check, by ascending id; of one that settled twice, both times in their order. */
  *all(): Iterable<SettledOperation> {
    const ids = this.#ids;
    const order = Array.from({ length: this.#size }, (_, index) => index);
    order.sort((one, other) => (ids[one] ?? 0) - (ids[other] ?? 0) || one - other);
    for (const index of order) {
      const verdict = this.#verdicts[index] ?? 0;
      yield {
        operation: ids[index] ?? 0,
        allowed: verdict % 2 === 1,
        reason: this.#reasons[verdict >> 1] ?? '',
        outcome: this.#outcomes?.[index],
      };
    }
  }

  /**
   * The digest that must survive a change of code, client or transport which changes no verdict:
   * ids, outcomes, reasons and the invariants that were violated.
   */
  digest(violated: readonly string[]): string {
    let text = '';
    for (const { operation, allowed, reason } of this.all()) {
      text += `${operation} ${allowed ? 'allowed' : 'denied'} ${reason}\n`;
    }
    const names = [...violated].sort().join('\n');
    return createHash('sha256').update(text).update(names).digest('hex');
  }

  #indexOf(reason: string): number {
    const known = this.#reasons.indexOf(reason);
    return known >= 0 ? known : this.#reasons.push(reason) - 1;
  }

  #grow(): void {
    const ids = new Float64Array(this.#size * 2);
    ids.set(this.#ids);
    this.#ids = ids;
    const verdicts = new Uint32Array(this.#size * 2);
    verdicts.set(this.#verdicts);
    this.#verdicts = verdicts;
  }
}
