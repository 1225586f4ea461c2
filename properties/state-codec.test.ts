import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeState, encodeState } from './state-codec.ts';

const integer = fc.oneof(fc.nat(), fc.maxSafeNat());
const state = fc.record({
  revision: integer,
  num: integer,
  den: integer.map((value) => Math.max(1, value)),
  capacity: integer,
  level: integer,
  remainder: integer,
  lastMs: integer,
});

describe('the packed state', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(state, (drawn) => {
        expect(decodeState(encodeState(drawn))).toEqual(drawn);
      }),
    );
  });

  it('is read from bytes written out by hand', () => {
    // 100/min with burst 20 and 19 999 999 2/3 microtokens, at 2026-01-01.
    const bytes = '\x01\x01\x88\x27\x03\x14\xff\xd9\xc4\x09\x02' + '\x80\xd0\xea\xb6\xb7\x33';
    expect(decodeState(bytes)).toEqual({
      revision: 1,
      num: 5000,
      den: 3,
      capacity: 20,
      level: 19_999_999,
      remainder: 2,
      lastMs: 1_767_225_600_000,
    });
  });

  it('is no state when a byte is missing, too many, or of another format', () => {
    fc.assert(
      fc.property(state, fc.nat(), (drawn, cut) => {
        const bytes = encodeState(drawn);
        expect(decodeState(bytes.slice(0, cut % bytes.length))).toBeUndefined();
        expect(decodeState(`${bytes}\x00`)).toBeUndefined();
        expect(decodeState(`\x02${bytes.slice(1)}`)).toBeUndefined();
      }),
    );
  });

  it('is no state when a number needs more than 53 bits', () => {
    const tooLarge = '\xff\xff\xff\xff\xff\xff\xff\x7f';
    expect(decodeState(`\x01\x01\x01\x01\x01${tooLarge}\x00\x01`)).toBeUndefined();
  });
});
