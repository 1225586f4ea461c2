// The generator behind math.random in Redis scripts: lrand48 from its default state when the server
// starts, going on from script to script (Redis 7.0.15 does not seed it again). 48-bit arithmetic in
// two halves of 24 bits.

const HALF = 2 ** 24;
const MULTIPLIER_HIGH = 0x5de;
const MULTIPLIER_LOW = 0xece66d;
const INCREMENT = 0xb;
const SEED_LOW = 0x330e;

export class LuaRandom {
  #high = 0x1234ab;
  #low = 0xcd330e;

  /** @param seed a C int */
  seed(seed: number): void {
    const unsigned = seed >>> 0;
    this.#low = (unsigned & 0xff) * 65536 + SEED_LOW;
    this.#high = unsigned >>> 8;
  }

  /** The next of [0, 2^31). */
  next(): number {
    const low = this.#low * MULTIPLIER_LOW + INCREMENT;
    const carry = Math.floor(low / HALF);
    const cross = this.#low * MULTIPLIER_HIGH + this.#high * MULTIPLIER_LOW + carry;
    this.#low = low % HALF;
    this.#high = cross % HALF;
    return Math.floor((this.#high * HALF + this.#low) / 2 ** 17);
  }
}
