// Doubles as Redis 7.0 reads them (strtod over the whole text) and writes them (%.17g).

import { formatNumber17 } from '../../lua/index.ts';

/** `%.17g`, with infinities as Redis spells them. */
export function formatDouble(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < integerBelow) {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  }
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  if (value === Number.NEGATIVE_INFINITY) return '-inf';
  return formatNumber17(value);
}

/** From here %.17g writes an exponent. */
const integerBelow = 1e17;

/** The number a whole text is for strtod, in the C locale; undefined: none, or not a number. */
export function parseDouble(text: string): number | undefined {
  if (decimal.test(text)) {
    const value = Number(text);
    // strtod reports overflow, and underflow to zero, and Redis refuses both.
    const isUnderflow = value === 0 && /[1-9]/.test(text.split(/[eE]/)[0] ?? '');
    return Number.isFinite(value) && !isUnderflow ? value : undefined;
  }
  const match = infinity.exec(text);
  if (match !== null) {
    return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return parseHex(text);
}

/** The same for the ends of ranges, where Redis is lax: leading spaces, nothing at all, any size. */
export function parseBoundDouble(text: string): number | undefined {
  if (text === '') return 0;
  const trimmed = text.replace(/^[ \t\n\v\f\r]+/, '');
  return decimal.test(trimmed) ? Number(trimmed) : parseDouble(trimmed);
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const infinity = /^([+-]?)inf(?:inity)?$/i;
const hex = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([+-]?\d+))?$/;

/** Hexadecimal floats, which strtod reads too. Exact up to 52 bits of digits, enough for scores. */
function parseHex(text: string): number | undefined {
  const match = hex.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = Number(`0x${whole}${fraction}`);
  const value = digits * 2 ** (Number(power) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}
