import { describe, expect, it } from 'vitest';
import { compileTokenBucket } from './token-bucket.ts';

describe('a token bucket', () => {
  it.each([
    [{ tokens: 100, periodMs: 60_000 }, 20, { num: 5000, den: 3, capacity: 20 }],
    [{ tokens: 1, periodMs: 1000 }, 1, { num: 1000, den: 1, capacity: 1 }],
    [{ tokens: 1, periodMs: 2_592_000_000 }, 1, { num: 1, den: 2592, capacity: 1 }],
    [{ tokens: 1_000_000, periodMs: 1000 }, 5, { num: 1_000_000_000, den: 1, capacity: 5 }],
    [{ tokens: 7, periodMs: 997 }, 3, { num: 7_000_000, den: 997, capacity: 3 }],
  ])('of %o, burst %i, has its rate in lowest terms', (rate, burst, expected) => {
    expect(compileTokenBucket(rate, burst)).toEqual(expected);
  });

  it('takes the largest capacity whose microtokens are exact, and none above', () => {
    const rate = { tokens: 1000, periodMs: 1000 };
    expect(compileTokenBucket(rate, 9_007_199_254)).toMatchObject({ capacity: 9_007_199_254 });
    expect(compileTokenBucket(rate, 9_007_199_255)).toMatchObject({
      field: 'burst',
      expected: expect.stringContaining('9007199254'),
    });
  });

  it('takes a rate whose products are exact, and none above', () => {
    // Neither reduces: (num + 1) * (den + 1) against 2^53 = 9 007 199 254 740 992.
    const below = { tokens: 9_007_189, periodMs: 999 };
    const above = { tokens: 9_007_191, periodMs: 1_000_003 };
    expect(compileTokenBucket(below, 1)).toMatchObject({ num: 9_007_189_000_000, den: 999 });
    expect(compileTokenBucket(above, 1)).toMatchObject({
      field: 'rate',
      expected: expect.stringContaining('2^53'),
    });
  });

  it('refuses a bucket that would take longer than 2^52 ms to fill', () => {
    const rate = { tokens: 1, periodMs: 86_400_000 };
    expect(compileTokenBucket(rate, 52_000_000)).toMatchObject({ capacity: 52_000_000 });
    expect(compileTokenBucket(rate, 53_000_000)).toMatchObject({
      field: 'burst',
      expected: expect.stringContaining('2^52'),
    });
  });
});
