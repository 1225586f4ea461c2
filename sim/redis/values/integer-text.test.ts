import { describe, expect, it } from 'vitest';
import { integerText } from './integer-text.ts';

describe('integerText', () => {
  it('writes what String writes, on both sides of every step', () => {
    for (const base of [0, 1000, 10_000, 100_000, 1_000_000, 2 ** 31, 2 ** 32]) {
      for (let value = Math.max(0, base - 120); value < base + 1120; value += 1) {
        expect(integerText(value)).toBe(String(value));
      }
    }
    expect(integerText(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
  });
});
