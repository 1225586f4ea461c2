// Exact integers of any size, cheap where they are small. A value is a `number` as long as that is a
// safe integer and a `bigint` beyond, so each value has exactly one form: `===` and `<` compare them,
// and nothing is ever rounded. The oracle runs at every decision, and arithmetic on `bigint` alone was
// a third of its time.
//
// Safety: a sum, difference or product of safe integers is rounded only when it lies beyond the safe
// range, and then its rounded value lies there too. So a safe result is the exact one, and whatever is
// not safe is computed again exactly.

export type Integer = number | bigint;

/** Brings an exact value into its one form. */
export function toInteger(value: bigint): Integer {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function add(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toInteger(BigInt(a) + BigInt(b));
}

export function subtract(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return toInteger(BigInt(a) - BigInt(b));
}

export function multiply(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product;
  }
  return toInteger(BigInt(a) * BigInt(b));
}

/** The quotient of a non-negative and a positive integer, rounded down. */
export function divideDown(dividend: Integer, divisor: Integer): Integer {
  if (typeof dividend === 'number' && typeof divisor === 'number') {
    // The remainder is exact, so this quotient is a whole number and comes out exactly.
    return (dividend - (dividend % divisor)) / divisor;
  }
  return toInteger(BigInt(dividend) / BigInt(divisor));
}

/** The quotient of a non-negative and a positive integer, rounded up. */
export function divideUp(dividend: Integer, divisor: Integer): Integer {
  const quotient = divideDown(dividend, divisor);
  return multiply(quotient, divisor) === dividend ? quotient : add(quotient, 1);
}

export function smaller(a: Integer, b: Integer): Integer {
  return a < b ? a : b;
}
