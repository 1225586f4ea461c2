// The agenda: a four-way heap of events ordered by (time, sequence), both exact integers. Times and
// sequences lie in flat arrays beside the events, because comparing them is most of the work.
//
// Events are cancelled lazily: an entry is stale when its event's `sequence` is no longer the one it
// was pushed with. The kernel skips stale entries and calls `sweep` when they prevail.

import type { KernelEvent } from './event.ts';

const ARITY = 4;

export class EventHeap {
  #times = new Float64Array(1024);
  #sequences = new Float64Array(1024);
  readonly #events: (KernelEvent | undefined)[] = [];
  #size = 0;
  /** Time and sequence of the entry last popped. */
  poppedUs = 0;
  poppedSequence = 0;

  get size(): number {
    return this.#size;
  }

  /** Time of the first entry, stale or not; Infinity when there is none. */
  get headUs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#times[0] ?? 0);
  }

  push(atUs: number, sequence: number, event: KernelEvent): void {
    if (this.#size === this.#times.length) this.#grow();
    this.#size += 1;
    this.#siftUp(this.#size - 1, atUs, sequence, event);
  }

  pop(): KernelEvent | undefined {
    if (this.#size === 0) return undefined;
    const first = this.#events[0];
    this.poppedUs = this.#times[0] ?? 0;
    this.poppedSequence = this.#sequences[0] ?? 0;
    this.#size -= 1;
    const last = this.#size;
    const event = this.#events[last];
    this.#events[last] = undefined;
    if (last > 0 && event !== undefined) {
      this.#siftDown(0, this.#times[last] ?? 0, this.#sequences[last] ?? 0, event);
    }
    return first;
  }

  /** Drops stale entries. Costs one pass. */
  sweep(): void {
    this.rebuild((event, sequence, atUs) => (event.sequence === sequence ? atUs : undefined));
  }

  /** Gives every entry a new time, or drops it when `place` returns undefined. Costs one pass. */
  rebuild(place: (event: KernelEvent, sequence: number, atUs: number) => number | undefined): void {
    const count = this.#size;
    const events = this.#events;
    this.#size = 0;
    // What was read is pushed into the part before it, so nothing unread is overwritten.
    for (let index = 0; index < count; index += 1) {
      const event = events[index];
      const sequence = this.#sequences[index] ?? 0;
      if (event === undefined) continue;
      const atUs = place(event, sequence, this.#times[index] ?? 0);
      if (atUs !== undefined) this.push(atUs, sequence, event);
    }
    events.fill(undefined, this.#size, count);
  }

  #siftUp(start: number, atUs: number, sequence: number, event: KernelEvent): void {
    const times = this.#times;
    const sequences = this.#sequences;
    const events = this.#events;
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 2;
      const parentUs = times[parent] ?? 0;
      if (parentUs < atUs || (parentUs === atUs && (sequences[parent] ?? 0) < sequence)) break;
      times[index] = parentUs;
      sequences[index] = sequences[parent] ?? 0;
      events[index] = events[parent];
      index = parent;
    }
    times[index] = atUs;
    sequences[index] = sequence;
    events[index] = event;
  }

  #siftDown(start: number, atUs: number, sequence: number, event: KernelEvent): void {
    const times = this.#times;
    const sequences = this.#sequences;
    const events = this.#events;
    const size = this.#size;
    let index = start;
    for (;;) {
      const firstChild = index * ARITY + 1;
      if (firstChild >= size) break;
      const end = Math.min(firstChild + ARITY, size);
      let best = firstChild;
      let bestUs = times[firstChild] ?? 0;
      for (let child = firstChild + 1; child < end; child += 1) {
        const childUs = times[child] ?? 0;
        if (
          childUs < bestUs ||
          (childUs === bestUs && (sequences[child] ?? 0) < (sequences[best] ?? 0))
        ) {
          best = child;
          bestUs = childUs;
        }
      }
      const bestSequence = sequences[best] ?? 0;
      if (atUs < bestUs || (atUs === bestUs && sequence < bestSequence)) break;
      times[index] = bestUs;
      sequences[index] = bestSequence;
      events[index] = events[best];
      index = best;
    }
    times[index] = atUs;
    sequences[index] = sequence;
    events[index] = event;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    this.#times = times;
    const sequences = new Float64Array(times.length);
    sequences.set(this.#sequences);
    this.#sequences = sequences;
  }
}
