// A double-entry ledger of microtokens, one book per bucket. Every token comes from somewhere and
// goes somewhere: what was opened, refilled and granted, less what was debited and withdrawn, is what
// must be in the bucket. The level the store really holds is compared with this balance, so a token
// minted or lost anywhere shows, however it happened.
//
// Entries are in units (1/den microtoken). A change of parameters changes the unit, so it closes the
// book in old units and opens it in new ones, and what the change added or took is an entry too.

import type { BucketDecision, BucketState } from './token-bucket.ts';

export class Ledger {
  /** Credits: what the bucket held when this book was opened, and what time has added since. */
  openedUnits = 0n;
  refilledUnits = 0n;
  /** Debits: what admitted requests have taken since. */
  debitedUnits = 0n;
  #den = 1n;

  /** What must be in the bucket, in units of the parameters in force. */
  get balanceUnits(): bigint {
    return this.openedUnits + this.refilledUnits - this.debitedUnits;
  }

  /** Enters a decision that the store had to write. `costUnits` is in the parameters in force. */
  enter(decision: BucketDecision, cost: number): void {
    const { seen } = decision;
    const debit = decision.allowed ? BigInt(cost) * seen.parameters.tokenUnits : 0n;
    if (decision.isNew || decision.isRevised || seen.parameters.den !== this.#den) {
      this.#open(seen, debit);
      return;
    }
    this.refilledUnits += decision.refilledUnits;
    this.debitedUnits += debit;
  }

  #open(seen: BucketState, debit: bigint): void {
    this.#den = seen.parameters.den;
    this.openedUnits = seen.units + debit;
    this.refilledUnits = 0n;
    this.debitedUnits = debit;
  }

  /** The entries in words, in microtokens, for a message. */
  describe(): string {
    const micro = (units: bigint) => formatMicrotokens(units, this.#den);
    return (
      `opened with ${micro(this.openedUnits)}, refilled ${micro(this.refilledUnits)}, ` +
      `debited ${micro(this.debitedUnits)}: ${micro(this.balanceUnits)} microtokens`
    );
  }
}

/** Microtokens with their exact fraction, such as `1666 2/3`. */
export function formatMicrotokens(units: bigint, den: bigint): string {
  const rest = units % den;
  return rest === 0n ? `${units / den}` : `${units / den} ${rest}/${den}`;
}
