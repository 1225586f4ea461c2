// Microtokens are neither minted nor lost. What the store holds after a decision is what it held
// before, plus what time refilled, minus what was debited: exactly, fraction included, and dated with
// the store millisecond at which it is true. And a bucket changes by nothing but its own decisions.

import { add, formatMicrotokens, multiply } from '../../model/index.ts';
import type { Execution } from '../oracle/records.ts';
import type { Invariant } from './invariant.ts';

export const conservation: Invariant = {
  name: 'conservation',
  sentence:
    'The stored level after a decision is the level before, plus the refill, minus the debit, exactly.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'script-executed': ({ atUs }) => {
      const { execution } = oracle;
      if (execution === undefined) return;
      evaluated();
      const { bucket, change, found, decision } = execution;
      if (found === 'changed') {
        violate(`${bucket.id} was found other than its last decision had left it.`, atUs);
        return;
      }
      if (change.after === change.before && !decision.written) return;
      const difference = compareWithBooks(execution);
      if (difference !== undefined) violate(`${bucket.id} ${difference}`, atUs);
    },
  }),
};

/** How the stored state differs from the books, as the end of a sentence. */
function compareWithBooks(execution: Execution): string | undefined {
  const { bucket, stored, decision } = execution;
  const { seen } = decision;
  if (stored === undefined) return 'has no readable state in the store after a debit.';
  const { num, den, capacity } = seen.parameters;
  if (
    stored.capacity !== capacity ||
    stored.den !== den ||
    stored.num !== num ||
    stored.revision !== seen.revision
  ) {
    return (
      `is kept under revision ${stored.revision}, ${stored.num}/${stored.den} up to ` +
      `${stored.capacity}, instead of ${seen.revision}, ${num}/${den} up to ${capacity}.`
    );
  }
  const units = add(multiply(stored.level, den), stored.remainder);
  const expected = decision.written ? bucket.ledger.balanceUnits : seen.units;
  if (units !== expected) {
    return (
      `holds ${formatMicrotokens(units, den)} microtokens, the books say ` +
      `${formatMicrotokens(expected, den)} (${bucket.ledger.describe()}).`
    );
  }
  if (stored.lastMs === seen.lastMs) return undefined;
  return `dates its level ${stored.lastMs} instead of ${seen.lastMs}.`;
}
