// Small arbitraries that fast-check lacks, used by all others here. All shrink towards their
// smallest or first value.

import * as fc from 'fast-check';

/** Whole numbers spread evenly over orders of magnitude, as sizes and durations are in life. */
export function logInteger(min: number, max: number): fc.Arbitrary<number> {
  const steps = 10_000;
  const ratio = max / min;
  return fc
    .integer({ min: 0, max: steps })
    .map((step) => Math.min(max, Math.max(min, Math.round(min * ratio ** (step / steps)))));
}

/** A fraction from 0 to 1 in thousandths. */
export const fraction: fc.Arbitrary<number> = fc
  .integer({ min: 0, max: 1000 })
  .map((thousandths) => thousandths / 1000);

/** An index into something whose length is not known yet; taken modulo that length. */
export const anyIndex: fc.Arbitrary<number> = fc.nat(5039);

/** One of the values, each as often as its weight says; shrinks towards the first ones. */
export function weighted<T>(...choices: readonly (readonly [number, T])[]): fc.Arbitrary<T> {
  const table = choices.flatMap(([weight, value]) => Array.from({ length: weight }, () => value));
  // Not `constantFrom`, which shrinks to its first value or not at all.
  return fc.nat(table.length - 1).map((index) => pick(table, index));
}

/** The element at an index taken modulo the length. */
export function pick<T>(values: readonly T[], index: number): T {
  for (const value of values.slice(index % values.length)) return value;
  throw new Error('Expected something to pick from, got an empty list.');
}
