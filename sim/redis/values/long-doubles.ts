// The x87 long double arithmetic of INCRBYFLOAT: 64 bits of mantissa. Values are exact fractions of
// the form mantissa · 2^exponent in bigints, rounded half-even to 64 bits as strtold and addition do.
//
// Left out: denormals and overflow of the 15-bit exponent; such values do not occur in counters.

/** Value = mantissa · 2^exponent; the mantissa has at most 64 bits. */
export interface LongDouble {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const mantissaBits = 64;
/** Digits after the point that Redis prints before it drops trailing zeros (`%.17Lf`). */
const printedDigits = 17;
/** Beyond this exponent ten a decimal is treated as out of range. */
const decimalExponentMax = 4900;

/** `infinite` is read, but no counter takes it. Undefined: not a number (hexadecimal included). */
export function parseLongDouble(text: string): LongDouble | 'infinite' | undefined {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return 'infinite';
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const decimalExponent = Number(power) - fraction.length;
  if (Math.abs(decimalExponent) > decimalExponentMax) return undefined;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  if (decimalExponent >= 0) return round(digits * 10n ** BigInt(decimalExponent), 1n, 0);
  return round(digits, 10n ** BigInt(-decimalExponent), 0);
}

export function addLongDoubles(left: LongDouble, right: LongDouble): LongDouble {
  const exponent = Math.min(left.exponent, right.exponent);
  const sum =
    (left.mantissa << BigInt(left.exponent - exponent)) +
    (right.mantissa << BigInt(right.exponent - exponent));
  return round(sum, 1n, exponent);
}

/** `%.17Lf` without trailing zeros, and without the sign of a zero. */
export function formatLongDouble(value: LongDouble): string {
  const isNegative = value.mantissa < 0n;
  const scaled = (isNegative ? -value.mantissa : value.mantissa) * 10n ** BigInt(printedDigits);
  const rounded =
    value.exponent >= 0
      ? scaled << BigInt(value.exponent)
      : divideHalfEven(scaled, 1n << BigInt(-value.exponent));
  const digits = rounded.toString().padStart(printedDigits + 1, '0');
  const fraction = digits.slice(-printedDigits).replace(/0+$/, '');
  const text = digits.slice(0, -printedDigits) + (fraction === '' ? '' : `.${fraction}`);
  return isNegative && text !== '0' ? `-${text}` : text;
}

/** numerator / denominator · 2^exponent with 64 bits of mantissa. */
function round(numerator: bigint, denominator: bigint, exponent: number): LongDouble {
  if (numerator === 0n) return { mantissa: 0n, exponent: 0 };
  const isNegative = numerator < 0n;
  let top = isNegative ? -numerator : numerator;
  let bottom = denominator;
  // The quotient has `excess` or `excess` + 1 bits.
  const shift = bits(top) - bits(bottom) - mantissaBits;
  if (shift > 0) bottom <<= BigInt(shift);
  else top <<= BigInt(-shift);
  if (top / bottom >= 1n << BigInt(mantissaBits)) {
    return normalise(divideHalfEven(top, bottom << 1n), exponent + shift + 1, isNegative);
  }
  return normalise(divideHalfEven(top, bottom), exponent + shift, isNegative);
}

function normalise(mantissa: bigint, exponent: number, isNegative: boolean): LongDouble {
  return { mantissa: isNegative ? -mantissa : mantissa, exponent };
}

function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return isUp ? quotient + 1n : quotient;
}

function bits(value: bigint): number {
  return value.toString(2).length;
}
