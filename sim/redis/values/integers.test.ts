import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addIntegers, parseInteger } from './integers.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('64-bit integers', () => {
  it('reads back what is written, exactly', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(BigInt(parseInteger(value.toString()) ?? Number.NaN)).toBe(value);
      }),
    );
  });

  it.each(['', '-', '+1', '01', '-0', ' 1', '1 ', '1.0', '1e3', '0x1', '9223372036854775808', 'a'])(
    'takes %j for no integer',
    (text) => {
      expect(parseInteger(text)).toBeUndefined();
    },
  );

  it('adds exactly and notices what does not fit', () => {
    fc.assert(
      fc.property(int64, int64, (left, right) => {
        const sum = left + right;
        const fits = sum >= -(2n ** 63n) && sum < 2n ** 63n;
        const read = (value: bigint) => parseInteger(value.toString()) ?? 0;
        const added = addIntegers(read(left), read(right));
        expect(added === undefined ? undefined : BigInt(added)).toBe(fits ? sum : undefined);
      }),
    );
  });
});
