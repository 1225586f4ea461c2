import { describe, expect, it } from 'vitest';
import { addLongDoubles, formatLongDouble, parseLongDouble } from './long-doubles.ts';

function add(left: string, right: string): string {
  const [one, other] = [parseLongDouble(left), parseLongDouble(right)];
  if (one === undefined || one === 'infinite') return 'left is no number';
  if (other === undefined || other === 'infinite') return 'right is no number';
  return formatLongDouble(addLongDoubles(one, other));
}

describe('long doubles', () => {
  // The sums are those of a real Redis 7.0.15 (see also the probes of properties/conformance).
  it.each([
    ['0.1', '0.2', '0.3'],
    ['3.0e3', '200', '3200'],
    ['1e17', '0.1', '100000000000000000.1015625'],
    ['5.0e-3', '1', '1.005'],
    ['0.1', '-0.1', '0'],
    ['-1.5', '0', '-1.5'],
    ['1e19', '1', '10000000000000000001'],
    ['1e-18', '0', '0'],
  ])('%s + %s is %s', (left, right, sum) => {
    expect(add(left, right)).toBe(sum);
  });

  it.each(['', 'abc', ' 1', '1 ', '1e', '--1', '0x10'])('takes %j for no number', (text) => {
    expect(parseLongDouble(text)).toBeUndefined();
  });
});
