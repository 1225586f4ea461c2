import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatExponential, formatFixed, formatNumber14, formatNumber17 } from './number-format.ts';

describe('number formats', () => {
  it.each([
    [0.1, '0.1', '0.10000000000000001'],
    [1 / 3, '0.33333333333333', '0.33333333333333331'],
    [1e14, '1e+14', '100000000000000'],
    [99999999999999, '99999999999999', '99999999999999'],
    [1700000000123456, '1.7000000001235e+15', '1700000000123456'],
    [2 ** 63, '9.2233720368548e+18', '9.2233720368547758e+18'],
    [5e-324, '4.9406564584125e-324', '4.9406564584124654e-324'],
    [-0, '-0', '-0'],
    [Number.POSITIVE_INFINITY, 'inf', 'inf'],
    [Number.NaN, '-nan', '-nan'],
  ])('writes %s as %s and %s', (value, short, long) => {
    expect([formatNumber14(value), formatNumber17(value)]).toEqual([short, long]);
  });

  it('rounds exact ties to even, as glibc does', () => {
    expect(formatNumber14(12345678901234.5)).toBe('12345678901234');
    expect(formatNumber14(12345678901235.5)).toBe('12345678901236');
    expect(formatFixed(2.5, 0, false)).toBe('2');
    expect(formatExponential(2.5, 0, false)).toBe('2e+00');
  });

  it('writes 17 digits from which every double is read back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(formatNumber17(value))).toBe(value);
      }),
    );
  });
});
