// The state of one direction between two hosts: what faults do to everything that travels there.
// Faults overlap, so each is a count or a sum and heals by taking back exactly what it added.

import type { Host } from '../kernel/kernel.ts';

/** One-way latency in microseconds: at least `minUs`, plus an exponential tail of mean `tailUs`. */
export interface LinkLatency {
  readonly minUs: number;
  readonly tailUs: number;
}

export class Link {
  readonly from: Host;
  readonly to: Host;
  /** Undefined until the first message. */
  latency: LinkLatency | undefined;
  /** Partitions in force: what arrives is held until there are none. */
  holds = 0;
  /** Black holes in force: what arrives is lost. */
  blackHoles = 0;
  /** Added to each latency, microseconds. */
  extraUs = 0;
  /** Largest piece for each fragmentation in force. */
  readonly pieces: number[] = [];

  constructor(from: Host, to: Host) {
    this.from = from;
    this.to = to;
  }

  get isOpen(): boolean {
    return this.holds === 0 && this.blackHoles === 0;
  }

  /** Bytes in the largest piece that passes whole; Infinity when nothing is cut. */
  get pieceBytes(): number {
    return this.pieces.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...this.pieces);
  }
}

/** All links of a network, created as they are first used. */
export class Links {
  readonly #rows: Link[][] = [];

  get(from: Host, to: Host): Link {
    return this.#rows[from.index]?.[to.index] ?? this.#add(from, to);
  }

  /** There and back. */
  both(a: Host, b: Host): Link[] {
    return a === b ? [this.get(a, a)] : [this.get(a, b), this.get(b, a)];
  }

  #add(from: Host, to: Host): Link {
    const row = this.#rows[from.index] ?? [];
    this.#rows[from.index] = row;
    const link = new Link(from, to);
    row[to.index] = link;
    return link;
  }
}
