import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  divideDown,
  divideUp,
  type Integer,
  multiply,
  smaller,
  subtract,
  toInteger,
} from './integers.ts';

/** Around zero, around the end of the safe range, and far beyond it. */
const value = fc
  .oneof(
    fc.bigInt({ min: -100n, max: 100n }),
    fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
    fc.bigInt({ min: 2n ** 53n - 100n, max: 2n ** 53n + 100n }),
    fc.bigInt({ min: 2n ** 26n, max: 2n ** 27n }),
    fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }),
  )
  .map((exact) => ({ exact, integer: toInteger(exact) }));

function expectExact(actual: Integer, exact: bigint): void {
  expect(BigInt(actual)).toBe(exact);
  expect(typeof actual).toBe(Number.isSafeInteger(Number(exact)) ? 'number' : 'bigint');
}

describe('exact integers', () => {
  it('add, subtract, multiply and compare as bigints do, each value in its one form', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expectExact(add(a.integer, b.integer), a.exact + b.exact);
        expectExact(subtract(a.integer, b.integer), a.exact - b.exact);
        expectExact(multiply(a.integer, b.integer), a.exact * b.exact);
        expect(smaller(a.integer, b.integer) === a.integer).toBe(a.exact <= b.exact);
        expect(a.integer === b.integer).toBe(a.exact === b.exact);
      }),
      { numRuns: 5000 },
    );
  });

  it('divide as bigints do, down and up', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [dividend, divisor] = [absolute(a.exact), absolute(b.exact) + 1n];
        const down = divideDown(toInteger(dividend), toInteger(divisor));
        expectExact(down, dividend / divisor);
        const up = divideUp(toInteger(dividend), toInteger(divisor));
        expectExact(up, (dividend + divisor - 1n) / divisor);
      }),
      { numRuns: 5000 },
    );
  });
});

function absolute(exact: bigint): bigint {
  return exact < 0n ? -exact : exact;
}
