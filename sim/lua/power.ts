// x ^ y as glibc's pow rounds it, nearly. V8's own pow differs in the last bit for one argument in ten, so
// whole exponents are computed in doubled precision and rounded once, which differs from glibc for about one
// in a thousand. Broken exponents go to Math.pow and differ for about one in ten; 0.5 is exact.

/** base ^ exponent. */
export function power(base: number, exponent: number): number {
  if (base === 1) return 1;
  if (exponent === 0.5) return powerHalf(base);
  if (!Number.isInteger(exponent) || Math.abs(exponent) > 1024)
    return powerOrdinary(base, exponent);
  if (base === 2) return 2 ** exponent;
  const magnitude = Math.abs(exponent);
  const result = exactPower(base, magnitude);
  if (result === undefined) return powerOrdinary(base, exponent);
  return exponent < 0 ? invert(result) : result.high + result.low;
}

/** C: pow(±1, ±inf) is 1 where JavaScript has NaN. */
function powerOrdinary(base: number, exponent: number): number {
  if (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent)) return 1;
  return base ** exponent;
}

function powerHalf(base: number): number {
  if (base === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return base === 0 ? 0 : Math.sqrt(base);
}

/** An unevaluated sum of two doubles. */
interface Doubled {
  readonly high: number;
  readonly low: number;
}

/** By repeated squaring; undefined when an intermediate leaves the range where splitting is exact. */
function exactPower(base: number, exponent: number): Doubled | undefined {
  let result: Doubled = { high: 1, low: 0 };
  let factor: Doubled = { high: base, low: 0 };
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiplyDoubled(result, factor);
    if (rest > 1) factor = multiplyDoubled(factor, factor);
    if (!isSafe(result.high) || !isSafe(factor.high)) return undefined;
  }
  return result;
}

function isSafe(value: number): boolean {
  const magnitude = Math.abs(value);
  return magnitude < 1e290 && magnitude > 1e-260;
}

function multiplyDoubled(a: Doubled, b: Doubled): Doubled {
  const product = a.high * b.high;
  const error = multiplyError(a.high, b.high, product) + (a.high * b.low + a.low * b.high);
  const high = product + error;
  return { high, low: error - (high - product) };
}

/** What a · b lost to rounding, by Dekker's split. */
function multiplyError(a: number, b: number, product: number): number {
  const splitter = 134217729;
  const largeA = splitter * a;
  const aHigh = largeA - (largeA - a);
  const aLow = a - aHigh;
  const largeB = splitter * b;
  const bHigh = largeB - (largeB - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** 1 / (high + low), rounded once. */
function invert(value: Doubled): number {
  const estimate = 1 / value.high;
  const product = estimate * value.high;
  const error = multiplyError(estimate, value.high, product);
  const rest = 1 - product - error - estimate * value.low;
  return estimate + estimate * rest;
}
