import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { power } from './power.ts';

describe('power', () => {
  it('rounds whole exponents of whole numbers exactly', () => {
    const bases = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(bases, fc.integer({ min: 0, max: 90 }), (base, exponent) => {
        expect(power(base, exponent)).toBe(Number(BigInt(base) ** BigInt(exponent)));
      }),
    );
  });

  it('knows the special cases of C', () => {
    expect([power(1, Number.NaN), power(-1, Number.POSITIVE_INFINITY), power(0, 0)]).toEqual([
      1, 1, 1,
    ]);
    expect([power(4, 0.5), power(2, -1), power(0, -1)]).toEqual([2, 0.5, Number.POSITIVE_INFINITY]);
  });
});
