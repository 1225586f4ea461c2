// A SHA-256 over everything that happens in a run, as integers in batches (about 15 ns an entry;
// hashing JSON text would cost thirty times as much). Two runs are the same run exactly when their
// digests agree.

import { createHash } from 'node:crypto';

const BATCH_INTS = 8192;

export class RunDigest {
  readonly #hash = createHash('sha256');
  readonly #batch = new Int32Array(BATCH_INTS);
  #length = 0;

  /** Adds four integers; each is taken modulo 2^32. */
  add(first: number, second = 0, third = 0, fourth = 0): void {
    const batch = this.#batch;
    const at = this.#length;
    batch[at] = first;
    batch[at + 1] = second;
    batch[at + 2] = third;
    batch[at + 3] = fourth;
    this.#length = at + 4;
    if (this.#length === BATCH_INTS) this.#flush();
  }

  /** Adds an integer up to 2^53, such as a time. */
  addLarge(value: number): void {
    this.add(value, Math.floor(value / 0x1_0000_0000));
  }

  /** Adds a text, with its length, so that two texts in a row cannot be mistaken for others. */
  addText(text: string): void {
    this.add(text.length);
    this.#flush();
    this.#hash.update(text, 'utf8');
  }

  /** The digest of what was added so far, as 64 hexadecimal digits. More may be added later. */
  hex(): string {
    this.#flush();
    return this.#hash.copy().digest('hex');
  }

  #flush(): void {
    if (this.#length === 0) return;
    this.#hash.update(new Uint8Array(this.#batch.buffer, 0, this.#length * 4));
    this.#length = 0;
  }
}
