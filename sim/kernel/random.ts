// Keyed randomness. The seed becomes key material once, by seedrandom; each draw is then an integer
// hash of (key, purpose, cause, ordinal), about 4 ns. Not for cryptography.

import seedrandom from 'seedrandom';
import type { Cause, Purpose } from './cause.ts';

export { definePurpose } from './cause.ts';

const TWO_POW_MINUS_32 = 2 ** -32;
const TWO_POW_MINUS_53 = 2 ** -53;

export class KeyedRandom {
  readonly #keyHigh: number;
  readonly #keyLow: number;

  constructor(seed: number) {
    const generator = seedrandom(String(seed));
    this.#keyHigh = generator.int32();
    this.#keyLow = generator.int32();
  }

  /** A uniform number in [0, 1) with 53 random bits. */
  draw(cause: Cause, purpose: Purpose): number {
    const ordinal = cause.nextOrdinal(purpose);
    const high = this.#hash(this.#keyHigh, cause.id, purpose.hash, ordinal);
    const low = this.#hash(this.#keyLow, cause.id, purpose.hash, ordinal);
    return (high >>> 0) * TWO_POW_MINUS_32 + (low >>> 11) * TWO_POW_MINUS_53;
  }

  /** 32 random bits as an unsigned integer. */
  drawBits(cause: Cause, purpose: Purpose): number {
    const ordinal = cause.nextOrdinal(purpose);
    return this.#hash(this.#keyHigh, cause.id, purpose.hash, ordinal) >>> 0;
  }

  /** The two keys differ, so the two halves of a draw do not collide together. */
  #hash(key: number, cause: number, purpose: number, ordinal: number): number {
    const stream = mix(key ^ purpose ^ Math.imul(cause, 0x9e3779b1));
    return mix(stream + Math.imul(ordinal + 1, 0x85ebca77));
  }
}

/** Finalizer of MurmurHash3: every input bit changes about half of the output bits. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
