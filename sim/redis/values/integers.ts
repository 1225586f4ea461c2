// Signed 64-bit integers as Redis reads, adds and writes them. A value is a number while it is safe
// and a bigint beyond, so that the common case costs nothing and the rare one is still exact.

export type Integer = number | bigint;

const integerMin = -(2n ** 63n);
const integerMax = 2n ** 63n - 1n;
/** Up to this many digits a number holds every value. */
const safeDigits = 15;

/**
 * The integer a text is, as `string2ll` reads it: an optional minus, no sign otherwise, no leading
 * zeros, no spaces, within 64 bits. Undefined: it is none.
 */
export function parseInteger(text: string): Integer | undefined {
  const { length } = text;
  if (length === 0 || length > 20) return undefined;
  const isNegative = text.charCodeAt(0) === minus;
  const first = isNegative ? 1 : 0;
  const firstCode = text.charCodeAt(first);
  if (length === 1 && firstCode === zero) return 0;
  if (!(firstCode > zero && firstCode <= nine)) return undefined;
  let value = 0;
  for (let index = first; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < zero || code > nine) return undefined;
    value = value * 10 + (code - zero);
  }
  if (length - first <= safeDigits) return isNegative ? -value : value;
  return fitInteger(BigInt(text));
}

/** The value in its own form; undefined: outside 64 bits. */
export function fitInteger(value: bigint): Integer | undefined {
  if (value < integerMin || value > integerMax) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The sum; undefined: outside 64 bits. */
export function addIntegers(left: Integer, right: Integer): Integer | undefined {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return fitInteger(BigInt(left) + BigInt(right));
}

const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
