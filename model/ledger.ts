// A double-entry ledger of microtokens, one book per bucket. Every token comes from somewhere and
// goes somewhere: what was opened, refilled and granted, less what was debited and withdrawn, is what
// must be in the bucket. The level the store really holds is compared with this balance, so a token
// minted or lost anywhere shows, however it happened.
//
// Entries are in units (1/den microtoken). A change of parameters changes the unit, so it closes the
// book in old units and opens it in new ones, and what the change added or took is an entry too.

import { add, type Integer, multiply, subtract } from './integers.ts';
import type { BucketDecision, BucketState } from './token-bucket.ts';

export class Ledger {
  /** Credits: what the bucket held when this book was opened, and what time has added since. */
  openedUnits: Integer = 0;
  refilledUnits: Integer = 0;
  /** Debits: what admitted requests have taken since. */
  debitedUnits: Integer = 0;
  #den: Integer = 1;

  /** What must be in the bucket, in units of the parameters in force. */
  get balanceUnits(): Integer {
    return subtract(add(this.openedUnits, this.refilledUnits), this.debitedUnits);
  }

  /** Enters a decision that the store had to write. `costUnits` is in the parameters in force. */
  enter(decision: BucketDecision, cost: number): void {
    const { seen } = decision;
    const debit = decision.allowed ? multiply(cost, seen.parameters.tokenUnits) : 0;
    if (decision.isNew || decision.isRevised || seen.parameters.den !== this.#den) {
      this.#open(seen, debit);
      return;
    }
    this.refilledUnits = add(this.refilledUnits, decision.refilledUnits);
    this.debitedUnits = add(this.debitedUnits, debit);
  }

  #open(seen: BucketState, debit: Integer): void {
    this.#den = seen.parameters.den;
    this.openedUnits = add(seen.units, debit);
    this.refilledUnits = 0;
    this.debitedUnits = debit;
  }

  /** The entries in words, in microtokens, for a message. */
  describe(): string {
    const micro = (units: Integer) => formatMicrotokens(units, this.#den);
    return (
      `opened with ${micro(this.openedUnits)}, refilled ${micro(this.refilledUnits)}, ` +
      `debited ${micro(this.debitedUnits)}: ${micro(this.balanceUnits)} microtokens`
    );
  }
}

/** Microtokens with their exact fraction, such as `1666 2/3`. */
export function formatMicrotokens(units: Integer, den: Integer): string {
  const whole = BigInt(units) / BigInt(den);
  const rest = BigInt(units) % BigInt(den);
  return rest === 0n ? `${whole}` : `${whole} ${rest}/${den}`;
}
