// The history digest: SHA-256 over a run's events, each as a few integers in a fixed layout. Binary
// and batched, since hashing JSON text would cost more than everything else in a run.

import type { RunDigest } from '../kernel/digest.ts';
import type { HistoryEvent, HistoryEventOf } from './history.ts';

/** What each kind of event is called in the digest, in the place of its name. */
const codes = {
  request: 2,
  'check-started': 3,
  'script-sent': 4,
  'script-executed': 5,
  'check-settled': 6,
  answered: 7,
  upstream: 8,
  fault: 9,
  host: 10,
  'store-lost': 11,
  'host-failure': 12,
  'run-ended': 13,
} as const;

export class HistoryDigest {
  readonly #digest: RunDigest;

  /** Adds to the kernel's own digest, which already tells the time and host of every event it ran. */
  constructor(digest: RunDigest) {
    this.#digest = digest;
  }

  add(event: HistoryEvent): void {
    const { kind } = event;
    switch (kind) {
      case 'run-started':
        return;
      case 'request':
      case 'check-started':
      case 'script-sent':
      case 'upstream':
        this.#digest.add(codes[kind], event.operation);
        return;
      case 'answered':
        this.#digest.add(codes[kind], event.operation, event.allowed ? 1 : 0);
        return;
      case 'script-executed':
        this.#digest.add(codes[kind], event.operation, event.storeMs, event.failed ? 1 : 0);
        for (const change of event.keys) this.#addText(change.after ?? '');
        return;
      case 'check-settled':
        this.#addSettlement(event);
        return;
      case 'fault':
        this.#digest.add(codes[kind], event.fault.id, event.phase === 'begin' ? 1 : 0);
        return;
      case 'host':
        this.#digest.add(codes[kind], event.incarnation, event.state === 'up' ? 1 : 0);
        return;
      case 'store-lost':
      case 'host-failure':
      case 'run-ended':
        this.#digest.add(codes[kind]);
        return;
    }
  }

  hex(): string {
    return this.#digest.hex();
  }

  #addSettlement({ operation, outcome }: HistoryEventOf<'check-settled'>): void {
    this.#digest.add(codes['check-settled'], operation, outcome?.allowed === true ? 1 : 0);
    const { remaining = -1, retryAfterMs = -1, resetMs = -1 } = outcome ?? {};
    this.#digest.add(remaining, retryAfterMs, resetMs);
  }

  /** Bytes, four to an integer, with their length. */
  #addText(text: string): void {
    const { length } = text;
    this.#digest.add(length);
    const wholeEnd = length - (length % 16);
    for (let index = 0; index < wholeEnd; index += 16) {
      this.#digest.add(
        fourBytes(text, index),
        fourBytes(text, index + 4),
        fourBytes(text, index + 8),
        fourBytes(text, index + 12),
      );
    }
    for (let index = wholeEnd; index < length; index += 1) {
      this.#digest.add(text.charCodeAt(index));
    }
  }
}

function fourBytes(text: string, at: number): number {
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24)
  );
}
