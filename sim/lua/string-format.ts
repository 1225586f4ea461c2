// string.format of Lua 5.1 over glibc's sprintf: the same checks of the format, exact digits.
// A formatted item is a C string there, so it ends at a zero byte; %q and long %s escape that.

import { checkNumber, checkString, truncate } from './arguments.ts';
import { throwArgumentError, throwNativeError } from './errors.ts';
import * as digits from './number-format.ts';
import type { LuaValue } from './table.ts';

interface Specification {
  readonly flags: string;
  readonly width: number;
  /** -1 when absent. */
  readonly precision: number;
  readonly conversion: string;
}

type Piece = string | Specification;

const MAX_FLAGS = 5;
/** A string this long is copied whole unless a precision cuts it. */
const LONG_STRING = 100;
const MAX_CACHED = 500;
const parsedFormats = new Map<string, readonly Piece[]>();

/** @param args the format first, then its arguments */
export function formatString(args: readonly LuaValue[]): string {
  const pieces = parseFormat(checkString(args, 1));
  let text = '';
  let position = 1;
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else text += formatItem(piece, args, ++position);
  }
  return text;
}

/** Errors of the format are raised only when it is their turn, as arguments before may fail first. */
function parseFormat(format: string): readonly Piece[] {
  const cached = parsedFormats.get(format);
  if (cached !== undefined) return cached;
  const pieces: Piece[] = [];
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf('%', at);
    if (percent < 0) {
      pieces.push(format.slice(at));
      break;
    }
    if (percent > at) pieces.push(format.slice(at, percent));
    if (format[percent + 1] === '%') {
      pieces.push('%');
      at = percent + 2;
    } else {
      const rest = format.slice(percent + 1);
      const [matched = '', flags = '', width = '', , precision] =
        /^([-+ #0]*)(\d{0,2})(\.(\d{0,2}))?/.exec(rest) ?? [];
      const conversion = rest[matched.length] ?? '\0';
      at = percent + 2 + matched.length;
      pieces.push({
        flags,
        width: Number(width),
        precision: precision === undefined ? -1 : Number(precision),
        conversion,
      });
    }
  }
  if (parsedFormats.size >= MAX_CACHED) parsedFormats.clear();
  parsedFormats.set(format, pieces);
  return pieces;
}

function formatItem(item: Specification, args: readonly LuaValue[], position: number): string {
  if (position > args.length) throwArgumentError(position, 'no value');
  if (item.flags.length > MAX_FLAGS) throwNativeError('invalid format (repeated flags)');
  if (item.conversion >= '0' && item.conversion <= '9') {
    throwNativeError('invalid format (width or precision too long)');
  }
  switch (item.conversion) {
    case 'c':
      return formatCharacter(checkNumber(args, position), item);
    case 'd':
    case 'i':
      return formatInteger(truncate(checkNumber(args, position)), item);
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return formatUnsigned(checkNumber(args, position), item);
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return formatReal(checkNumber(args, position), item);
    case 'q':
      return quote(checkString(args, position));
    case 's':
      return formatText(checkString(args, position), item);
    default: {
      const shown = item.conversion === '\0' ? '' : item.conversion;
      return throwNativeError(`invalid option '%${shown}' to 'format'`);
    }
  }
}

/** C's cast to int: what does not fit becomes -2^31, whose low byte is zero and ends the text. */
function formatCharacter(value: number, item: Specification): string {
  const isInt = value > -2147483649 && value < 2147483648;
  return cut(pad(String.fromCharCode(isInt ? value & 255 : 0), item));
}

function formatText(text: string, item: Specification): string {
  if (item.precision < 0 && text.length >= LONG_STRING) return text;
  const whole = cut(text);
  return pad(item.precision >= 0 ? whole.slice(0, item.precision) : whole, item);
}

function formatInteger(value: number, item: Specification): string {
  const magnitude = Number.isSafeInteger(value) ? String(Math.abs(value)) : integerDigits(value);
  const sign = value < 0 ? '-' : plusSign(item);
  return padInteger(sign, magnitude, item);
}

function integerDigits(value: number): string {
  const integer = BigInt(value);
  return (integer < 0n ? -integer : integer).toString();
}

/** C's cast of a double to unsigned long as gcc compiles it: two's complement for negative numbers. */
function formatUnsigned(value: number, item: Specification): string {
  const integer = value < 2 ** 63 ? truncate(value) : value < 2 ** 64 ? Math.trunc(value) : 0;
  const bits = BigInt.asUintN(64, BigInt(integer));
  const base = item.conversion === 'o' ? 8 : item.conversion === 'u' ? 10 : 16;
  const magnitude = bits.toString(base);
  let prefix = '';
  let shown = magnitude;
  if (item.flags.includes('#') && bits !== 0n && base === 16) prefix = '0x';
  if (item.flags.includes('#') && base === 8 && item.precision <= magnitude.length) {
    if (!magnitude.startsWith('0')) shown = `0${magnitude}`;
  }
  const text = padInteger(prefix, shown, item);
  return item.conversion === 'X' ? text.toUpperCase() : text;
}

function padInteger(prefix: string, magnitude: string, item: Specification): string {
  const isOctalAlternative = item.conversion === 'o' && item.flags.includes('#');
  const isNothing = item.precision === 0 && magnitude === '0' && !isOctalAlternative;
  const shown = isNothing ? '' : magnitude.padStart(item.precision, '0');
  const isZeroPadded = hasZeroFill(item) && item.precision < 0;
  if (isZeroPadded) return prefix + shown.padStart(item.width - prefix.length, '0');
  return pad(prefix + shown, item);
}

function formatReal(value: number, item: Specification): string {
  const precision = item.precision < 0 ? 6 : item.precision;
  const keepPoint = item.flags.includes('#');
  const text = realDigits(value, item.conversion.toLowerCase(), precision, keepPoint);
  const isUpper = item.conversion === 'E' || item.conversion === 'G';
  const cased = isUpper ? text.toUpperCase() : text;
  const isNegative = cased.startsWith('-');
  const sign = isNegative ? '-' : plusSign(item);
  const magnitude = isNegative ? cased.slice(1) : cased;
  if (hasZeroFill(item) && Number.isFinite(value)) {
    return sign + magnitude.padStart(item.width - sign.length, '0');
  }
  return pad(sign + magnitude, item);
}

function realDigits(
  value: number,
  conversion: string,
  precision: number,
  keepPoint: boolean,
): string {
  if (conversion === 'e') return digits.formatExponential(value, precision, keepPoint);
  if (conversion === 'f') return digits.formatFixed(value, precision, keepPoint);
  const significant = Math.max(precision, 1);
  return keepPoint
    ? digits.formatGeneralKeepingZeros(value, significant)
    : digits.formatGeneral(value, significant);
}

function plusSign(item: Specification): string {
  if (item.flags.includes('+')) return '+';
  return item.flags.includes(' ') ? ' ' : '';
}

function hasZeroFill(item: Specification): boolean {
  return item.flags.includes('0') && !item.flags.includes('-');
}

function pad(text: string, item: Specification): string {
  return item.flags.includes('-') ? text.padEnd(item.width) : text.padStart(item.width);
}

/** A C string ends at its first zero byte. */
function cut(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

function quote(text: string): string {
  const body = text.replace(/["\\\n\r\0]/g, (character) => {
    if (character === '\r') return '\\r';
    return character === '\0' ? '\\000' : `\\${character}`;
  });
  return `"${body}"`;
}
