// Reads the expiry arguments of SET, GETEX, SETEX and PSETEX, with Redis' overflow rules.

import { ErrorReply, notAnInteger } from '../reply.ts';
import { parseInteger } from '../values/integers.ts';

export type ExpiryUnit = 'ex' | 'px' | 'exat' | 'pxat';

/** The absolute expiry in milliseconds, or the error that this command answers. */
export function readExpiry(
  text: string,
  unit: ExpiryUnit,
  command: string,
  nowMs: number,
): number | ErrorReply {
  const value = parseInteger(text);
  if (value === undefined) return notAnInteger;
  const isSeconds = unit === 'ex' || unit === 'exat';
  if (value <= 0 || (isSeconds && BigInt(value) > integerMax / 1000n)) return invalid(command);
  const base = unit === 'ex' || unit === 'px' ? nowMs : 0;
  const sum = Number(value) * (isSeconds ? 1000 : 1) + base;
  if (sum > Number.MAX_SAFE_INTEGER) {
    const exact = BigInt(value) * (isSeconds ? 1000n : 1n) + BigInt(base);
    if (exact > integerMax) return invalid(command);
  }
  return sum;
}

const integerMax = 2n ** 63n - 1n;

function invalid(command: string): ErrorReply {
  return new ErrorReply(`ERR invalid expire time in '${command}' command`);
}
