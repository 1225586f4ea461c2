// Reads a number as Lua 5.1 on glibc does (strtod, then nothing but white space). Exists because
// JavaScript's Number() accepts and refuses other texts: '', '0b1', 'inf', '0x1p4'.

const DECIMAL = /^[ \t-\r]*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[ \t-\r]*$/;
const HEXADECIMAL =
  /^[ \t-\r]*([-+]?)0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?(?:[pP]([-+]?\d+))?[ \t-\r]*$/;
const NAMED = /^[ \t-\r]*([-+]?)(inf(?:inity)?|nan(?:\([\w]*\))?)[ \t-\r]*$/i;
/** So many decimal digits are exact in a double. */
const MAX_EXACT_DIGITS = 15;

/** The number a text stands for, or undefined. The text ends at its first zero byte, as C strings do. */
export function parseNumber(text: string): number | undefined {
  const digits = parseDigits(text);
  if (digits >= 0) return digits;
  const end = text.indexOf('\0');
  if (end >= 0) return parseNumber(text.slice(0, end));
  if (DECIMAL.test(text)) return Number(text.replace(/[ \t-\r]+/g, ''));
  return parseHexadecimal(text) ?? parseNamed(text);
}

/** The value of a short text of nothing but digits, by far the usual one; else -1. */
function parseDigits(text: string): number {
  const { length } = text;
  if (length === 0 || length > MAX_EXACT_DIGITS) return -1;
  let value = 0;
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function parseHexadecimal(text: string): number | undefined {
  const match = HEXADECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`0x${whole}${fraction}` === '0x' ? '0x0' : `0x${whole}${fraction}`);
  const value = scaleByPowerOfTwo(digits, Number(exponent ?? 0) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

/** digits · 2^exponent, rounded once. Number(bigint) rounds half to even, as strtod does. */
function scaleByPowerOfTwo(digits: bigint, exponent: number): number {
  if (digits === 0n) return 0;
  if (exponent >= 0) return exponent > 2000 ? Infinity : Number(digits << BigInt(exponent));
  const value = Number(digits);
  return exponent < -1000 ? value * 2 ** -1000 * 2 ** (exponent + 1000) : value * 2 ** exponent;
}

function parseNamed(text: string): number | undefined {
  const match = NAMED.exec(text);
  if (match === null) return undefined;
  if (match[2]?.startsWith('n') || match[2]?.startsWith('N')) return Number.NaN;
  return match[1] === '-' ? -Infinity : Infinity;
}

/** C's strtoul for bases 2 to 36, base 10 excepted by the caller: undefined when nothing was read whole. */
export function parseUnsigned(text: string, base: number): number | undefined {
  let position = 0;
  while (isSpace(text.charCodeAt(position))) position++;
  const sign = text[position];
  if (sign === '-' || sign === '+') position++;
  if (base === 16 && /^0[xX][\da-fA-F]/.test(text.slice(position, position + 3))) position += 2;
  const start = position;
  let value = 0n;
  for (; position < text.length; position++) {
    const digit = digitOf(text.charCodeAt(position));
    if (digit >= base) break;
    value = value * BigInt(base) + BigInt(digit);
  }
  if (position === start) return undefined;
  while (isSpace(text.charCodeAt(position))) position++;
  if (position < text.length && text[position] !== '\0') return undefined;
  const limit = (1n << 64n) - 1n;
  if (value > limit) return Number(limit);
  return Number(sign === '-' ? BigInt.asUintN(64, -value) : value);
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 122 ? lower - 87 : 99;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
