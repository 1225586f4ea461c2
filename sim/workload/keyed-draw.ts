// Random figures for one stream of a workload. Each is a pure function of (seed, stream, purpose,
// ordinal), so taking one request or one stream away leaves every other draw as it was.

/** What a draw is for. Two purposes never share a figure. */
export const drawPurposes = {
  gap: 1,
  tenant: 2,
  user: 3,
  cost: 4,
  gateway: 5,
  path: 6,
  phase: 7,
} as const;

export type DrawPurpose = keyof typeof drawPurposes;

export class StreamDraws {
  readonly #base: number;

  constructor(seed: number, stream: number) {
    const low = mix(seed | 0, 0x57656972);
    this.#base = mix(mix(low, Math.floor(seed / 2 ** 32) | 0), stream);
  }

  /** A figure in [0, 1), in steps of 2^-32. */
  unit(purpose: DrawPurpose, ordinal: number): number {
    return finish(mix(mix(this.#base, drawPurposes[purpose]), ordinal)) / 2 ** 32;
  }

  /** A whole number from 0 up to and without `below`. */
  integer(purpose: DrawPurpose, ordinal: number, below: number): number {
    return Math.floor(this.unit(purpose, ordinal) * below);
  }
}

/** One round of MurmurHash3 (x86, 32 bit; Austin Appleby, public domain). */
function mix(hash: number, word: number): number {
  let block = Math.imul(word, 0xcc9e2d51);
  block = (block << 15) | (block >>> 17);
  const mixed = hash ^ Math.imul(block, 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/** The finaliser of the same hash: every input bit reaches every output bit. */
function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
