// The state of one direction between two hosts: what faults do to everything that travels there.
// Faults overlap, so each is a count or a sum and heals by taking back exactly what it added.

import type { Host } from '../kernel/kernel.ts';

export class Link {
  readonly from: Host;
  readonly to: Host;
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
