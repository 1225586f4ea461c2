import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumber, parseUnsigned } from './number-parse.ts';

describe('reading numbers', () => {
  it.each([
    ['10', 10],
    [' 0x1F\n', 31],
    ['0x1p-2', 0.25],
    ['-.5e1', -5],
    ['inf', Number.POSITIVE_INFINITY],
    ['12\u0000x', 12],
    ['', undefined],
    ['0x', undefined],
    ['1e', undefined],
    ['1 2', undefined],
    ['0b1', undefined],
  ])('reads %j as %s', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it('reads what JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseNumber(String(value))).toBe(value + 0);
      }),
    );
  });

  it('wraps negative numbers of another base as strtoul does', () => {
    expect(parseUnsigned('-1', 16)).toBe(2 ** 64);
    expect(parseUnsigned('zz', 36)).toBe(1295);
    expect(parseUnsigned('9', 8)).toBe(undefined);
  });
});
