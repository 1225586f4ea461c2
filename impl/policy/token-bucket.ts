// From a rate and a burst to the integers the script works with, and the proof that they fit: every
// product the script forms stays within 2^53. The bounds are the ones of lua/token-bucket.lua.

import type { Rate } from './rate.ts';

/** Microtokens in a token. */
export const MICROTOKENS = 1_000_000;

/** What the script is told of a bucket. Integers; num/den microtokens per millisecond, reduced. */
export interface TokenBucketParameters {
  readonly num: number;
  readonly den: number;
  /** Whole tokens. */
  readonly capacity: number;
}

/** Why a rate and a burst cannot be used: which field, and what would fit. */
export interface TokenBucketRefusal {
  readonly field: 'rate' | 'burst';
  readonly expected: string;
}

const LARGEST_EXACT = 2n ** 53n;
const LONGEST_FILL_MS = 2n ** 52n;
const LARGEST_CAPACITY = (LARGEST_EXACT - 2n) / BigInt(MICROTOKENS);

/** Compiles a positive rate and a positive burst, or says which of the two does not fit and why. */
export function compileTokenBucket(
  rate: Rate,
  burst: number,
): TokenBucketParameters | TokenBucketRefusal {
  const microtokens = BigInt(rate.tokens) * BigInt(MICROTOKENS);
  const divisor = greatestCommonDivisor(microtokens, BigInt(rate.periodMs));
  const num = microtokens / divisor;
  const den = BigInt(rate.periodMs) / divisor;
  if ((num + 1n) * (den + 1n) > LARGEST_EXACT) {
    return {
      field: 'rate',
      expected: `a rate whose numerator times denominator in microtokens per millisecond stays below 2^53, not (${num} + 1) * (${den} + 1)`,
    };
  }
  if (BigInt(burst) > LARGEST_CAPACITY) {
    return {
      field: 'burst',
      expected: `at most ${LARGEST_CAPACITY} tokens, so that its microtokens stay below 2^53`,
    };
  }
  const fillMs = (BigInt(burst) * BigInt(MICROTOKENS) * den + num - 1n) / num;
  if (fillMs > LONGEST_FILL_MS) {
    return { field: 'burst', expected: 'a bucket that fills within 2^52 milliseconds' };
  }
  return { num: Number(num), den: Number(den), capacity: burst };
}

function greatestCommonDivisor(first: bigint, second: bigint): bigint {
  let [larger, smaller] = [first, second];
  while (smaller !== 0n) {
    [larger, smaller] = [smaller, larger % smaller];
  }
  return larger;
}
