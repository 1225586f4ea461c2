// Parsers for the values of options. Commander prints what they throw with the option's name and
// value, and the command exits with 2.

import { InvalidArgumentError } from 'commander';

/** A whole number of at least `min`, in decimal digits. */
export function parseInteger(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** A time in minutes; fractions are allowed. */
export function parseMinutes(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 100_000) return value;
  throw new InvalidArgumentError('Expected minutes, more than 0 (0.5 is half a minute).');
}

// A drawn seed stays short enough to read out and to type.
const RANDOM_SEEDS = 1_000_000_000;

/** A seed, or `random`. */
export function parseSeed(text: string): { seed: number; isDrawn: boolean } {
  if (text === 'random') {
    return { seed: 1 + Math.floor(Math.random() * RANDOM_SEEDS), isDrawn: true };
  }
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return { seed: value, isDrawn: false };
  throw new InvalidArgumentError('Expected a seed (a whole number of at least 0) or "random".');
}

export function parseClient(text: string): 5 | 6 {
  if (text === '5') return 5;
  if (text === '6') return 6;
  throw new InvalidArgumentError('Expected a major version of ioredis, 5 or 6.');
}

export function parseTransport(text: string): 'wire' | 'direct' {
  if (text === 'wire' || text === 'direct') return text;
  throw new InvalidArgumentError('Expected "wire" or "direct".');
}

export function parseDrive(text: string): 'sync' | 'turns' {
  if (text === 'sync' || text === 'turns') return text;
  throw new InvalidArgumentError('Expected "sync" or "turns".');
}
