// What a token bucket is made of, in exact numbers. A level is a rational number of microtokens with
// the denominator of the rate, so it is held as one integer of *units*: 1 unit = 1/den microtoken.
// In units a millisecond refills exactly `num`, and nothing ever has to be split or rounded.

import { divideDown, divideUp, type Integer, multiply, toInteger } from './integers.ts';

export const MICROTOKENS_PER_TOKEN = 1_000_000;

export interface BucketParameters {
  /** Refill in microtokens per millisecond, `num/den`, reduced. In units per millisecond: `num`. */
  readonly num: Integer;
  readonly den: Integer;
  /** Whole tokens; the burst of the policy. */
  readonly capacity: number;
  /** One token in units. */
  readonly tokenUnits: Integer;
  /** The full bucket in units. */
  readonly capacityUnits: Integer;
  /** Milliseconds from empty to full, rounded up. */
  readonly fullMs: number;
}

/** `tokens` per `periodMs`, both positive integers, at most `capacity` (a positive integer) at once. */
export function createBucketParameters(options: {
  readonly tokens: number;
  readonly periodMs: number;
  readonly capacity: number;
}): BucketParameters {
  expectPositive('tokens', options.tokens);
  expectPositive('periodMs', options.periodMs);
  expectPositive('capacity', options.capacity);
  const microtokens = multiply(options.tokens, MICROTOKENS_PER_TOKEN);
  const divisor = greatestCommonDivisor(BigInt(microtokens), BigInt(options.periodMs));
  const num = divideDown(microtokens, divisor);
  const den = divideDown(options.periodMs, divisor);
  const tokenUnits = multiply(MICROTOKENS_PER_TOKEN, den);
  const capacityUnits = multiply(options.capacity, tokenUnits);
  const fullMs = Number(divideUp(capacityUnits, num));
  return { num, den, capacity: options.capacity, tokenUnits, capacityUnits, fullMs };
}

function greatestCommonDivisor(a: bigint, b: bigint): Integer {
  let x = a;
  let y = b;
  while (y !== 0n) {
    [x, y] = [y, x % y];
  }
  return toInteger(x);
}

function expectPositive(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new Error(`Expected ${name} to be a positive integer, got ${value}.`);
  }
}
