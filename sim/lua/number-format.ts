// Writes doubles as glibc's printf does: %.14g for tostring and `..`, %.17g for arguments of
// redis.call, and the exact digits under %e, %f and %g. Exists because JavaScript's toPrecision and
// toFixed round exact ties away from zero where glibc rounds them to even, and write exponents otherwise.
// Sign of NaN: JavaScript hides it. x86 makes a negative NaN for 0/0 and its like, the usual ones, so
// every NaN prints `-nan`; only a NaN that was negated or read by tonumber differs on the real server.

const MAX_EXACT_INTEGER = 2 ** 53;

/** %.14g, as `tostring` and `..` write numbers. */
export function formatNumber14(value: number): string {
  if (value > -1e14 && value < 1e14 && Number.isInteger(value)) {
    return value === 0 && 1 / value < 0 ? '-0' : String(value);
  }
  return formatGeneral(value, 14);
}

/** %.17g, as arguments of redis.call are written. */
export function formatNumber17(value: number): string {
  if (value >= -MAX_EXACT_INTEGER && value <= MAX_EXACT_INTEGER && Number.isInteger(value)) {
    return value === 0 && 1 / value < 0 ? '-0' : String(value);
  }
  return formatGeneral(value, 17);
}

/** %.{precision}g without flags; precision 1 or more. */
export function formatGeneral(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  const { negative, digits, exponent } = toDigits(value, precision);
  const sign = negative ? '-' : '';
  if (exponent < -4 || exponent >= precision) {
    const mantissa = stripZeros(`${digits.slice(0, 1)}.${digits.slice(1)}`);
    return `${sign}${mantissa}e${formatExponentPart(exponent)}`;
  }
  return sign + stripZeros(placePoint(digits, exponent));
}

/** %#.{precision}g keeps trailing zeros. */
export function formatGeneralKeepingZeros(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  const { negative, digits, exponent } = toDigits(value, precision);
  const sign = negative ? '-' : '';
  if (exponent < -4 || exponent >= precision) {
    return `${sign}${digits.slice(0, 1)}.${digits.slice(1)}e${formatExponentPart(exponent)}`;
  }
  const placed = placePoint(digits, exponent);
  return sign + (placed.includes('.') ? placed : `${placed}.`);
}

/** %.{precision}e */
export function formatExponential(value: number, precision: number, keepPoint: boolean): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  const { negative, digits, exponent } = toDigits(value, precision + 1);
  const point = precision > 0 || keepPoint ? '.' : '';
  const mantissa = `${digits.slice(0, 1)}${point}${digits.slice(1)}`;
  return `${negative ? '-' : ''}${mantissa}e${formatExponentPart(exponent)}`;
}

/** %.{precision}f */
export function formatFixed(value: number, precision: number, keepPoint: boolean): string {
  if (!Number.isFinite(value)) return formatNonFinite(value);
  const magnitude = Math.abs(value);
  const sign = isNegative(value) ? '-' : '';
  if (precision === 0 && magnitude <= MAX_EXACT_INTEGER && Number.isInteger(magnitude)) {
    return sign + magnitude + (keepPoint ? '.' : '');
  }
  const scaled = roundScaled(magnitude, precision)
    .toString()
    .padStart(precision + 1, '0');
  const whole = scaled.slice(0, scaled.length - precision);
  const point = precision > 0 || keepPoint ? '.' : '';
  return `${sign}${whole}${point}${scaled.slice(scaled.length - precision)}`;
}

function formatNonFinite(value: number): string {
  if (Number.isNaN(value)) return '-nan';
  return value > 0 ? 'inf' : '-inf';
}

interface Digits {
  readonly negative: boolean;
  /** Exactly as many significant digits as asked for. */
  readonly digits: string;
  /** Decimal exponent of the first digit. */
  readonly exponent: number;
}

/** Significant digits of a finite double, ties rounded to even. */
function toDigits(value: number, count: number): Digits {
  const negative = isNegative(value);
  const magnitude = Math.abs(value);
  if (magnitude === 0) return { negative, digits: '0'.repeat(count), exponent: 0 };
  // A tie needs few fractional bits: its digits after the point are at most 25 for 17 significant ones.
  const text =
    count <= 17 && !Number.isInteger(magnitude * 2 ** 25)
      ? magnitude.toExponential(count - 1)
      : roundExactly(magnitude, count);
  const mark = text.indexOf('e');
  const digits = text.slice(0, 1) + text.slice(2, mark);
  return { negative, digits, exponent: Number(text.slice(mark + 1)) };
}

/** `d.ddde±x` with `count` digits, from the exact binary value. */
function roundExactly(magnitude: number, count: number): string {
  let exponent = Number(magnitude.toExponential(20).split('e')[1]);
  let rounded = roundScaled(magnitude, count - 1 - exponent).toString();
  if (rounded.length > count) {
    exponent++;
    rounded = roundScaled(magnitude, count - 1 - exponent).toString();
  }
  return `${rounded.slice(0, 1)}.${rounded.slice(1)}e${exponent}`;
}

/** magnitude · 10^power, rounded half to even, exactly. */
function roundScaled(magnitude: number, power: number): bigint {
  const { mantissa, exponent } = decompose(magnitude);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  const quotient = numerator / denominator;
  const twiceRest = (numerator - quotient * denominator) * 2n;
  const isUp = twiceRest > denominator || (twiceRest === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

const scratch = new DataView(new ArrayBuffer(8));

/** magnitude = mantissa · 2^exponent, exactly. */
function decompose(magnitude: number): { mantissa: bigint; exponent: number } {
  scratch.setFloat64(0, magnitude);
  const bits = scratch.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

function isNegative(value: number): boolean {
  return value < 0 || (value === 0 && 1 / value < 0);
}

/** Digits with the point after the digit of weight 10^0; exponent from -4 to digits.length - 1. */
function placePoint(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1);
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function stripZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  if (text.charCodeAt(end - 1) === 46) end--;
  return text.slice(0, end);
}

function formatExponentPart(exponent: number): string {
  const magnitude = String(Math.abs(exponent)).padStart(2, '0');
  return (exponent < 0 ? '-' : '+') + magnitude;
}
