// Who asked for what happens. A cause is the identity under which randomness is drawn: each draw is
// keyed by (seed, purpose, cause, how many draws of that purpose this cause has made). So removing
// one request or one fault from a run leaves the draws of every other one as they were, which is
// what makes shrinking and paired comparison work.

/** What a draw is for. Purposes never share draws. */
export interface Purpose {
  readonly name: string;
  /** Place of this purpose's counter in a cause. Depends on load order; draws do not. */
  readonly index: number;
  /** Keys the draws; depends on the name only. */
  readonly hash: number;
}

const purposes = new Map<string, Purpose>();

/** Defines a purpose; call it at module level. The same name gives the same purpose. */
export function definePurpose(name: string): Purpose {
  let purpose = purposes.get(name);
  if (purpose === undefined) {
    purpose = { name, index: purposes.size, hash: hashText(name) };
    purposes.set(name, purpose);
  }
  return purpose;
}

export class Cause {
  /** 1..2^31-1 for an operation or another cause of the world; 2^31..2^32-1 for a background. */
  declare readonly id: number;
  declare private readonly ordinals: number[];

  constructor(id: number) {
    this.id = id;
    // As long as there are common purposes, so that counting rarely grows it.
    this.ordinals = [0, 0, 0, 0, 0, 0, 0, 0];
  }

  /** Counts a draw and returns how many of this purpose came before it. */
  nextOrdinal(purpose: Purpose): number {
    const { ordinals } = this;
    while (ordinals.length <= purpose.index) ordinals.push(0);
    const ordinal = ordinals[purpose.index] ?? 0;
    ordinals[purpose.index] = ordinal + 1;
    return ordinal;
  }
}

/** The cause of what a host's process does of its own accord: stable for (name, incarnation). */
export function createBackgroundCause(hostName: string, incarnation: number): Cause {
  return new Cause(0x8000_0000 + (hashText(`${hostName}#${incarnation}`) & 0x7fff_ffff));
}

/** FNV-1a over UTF-16 code units, as an unsigned 32-bit integer. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
