import { describe, expect, it } from 'vitest';
import { parseRate } from './rate.ts';

describe('a rate', () => {
  it.each([
    ['100/min', 100, 60_000],
    ['5/10s', 5, 10_000],
    ['1/30d', 1, 2_592_000_000],
    ['1000000/s', 1_000_000, 1000],
    ['3/ms', 3, 1],
    ['2/sec', 2, 1000],
    ['7/hour', 7, 3_600_000],
    ['7/2h', 7, 7_200_000],
    ['0/day', 0, 86_400_000],
    [' 10 / 2 min ', 10, 120_000],
  ])('reads %s', (text, tokens, periodMs) => {
    expect(parseRate(text)).toEqual({ tokens, periodMs });
  });

  it.each([
    ...[
      '',
      '100',
      '100/',
      '/min',
      '100/month',
      '100/Min',
      '-1/s',
      '1.5/s',
      '1e3/s',
      '1/0s',
      '1/-1s',
    ],
    ...['1/1.5s', '9007199254740992/s', '1/999999999999d', '1//s', '1/s/s', '１/s', '1/s\n1/s'],
  ])('refuses %j', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});
