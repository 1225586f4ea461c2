// The history digest: SHA-256 over a run's events, each as a few integers in a fixed layout. Binary
// and batched, since hashing JSON text would cost more than everything else in a run.

import type { RunDigest } from '../kernel/digest.ts';
import type { HistoryEvent } from './history.ts';

const kindCodes: Readonly<Record<HistoryEvent['kind'], number>> = {
  'run-started': 1,
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
};

export class HistoryDigest {
  readonly #digest: RunDigest;

  /** Adds to the kernel's own digest, which already tells every event it ran. */
  constructor(digest: RunDigest) {
    this.#digest = digest;
  }

  add(event: HistoryEvent): void {
    const { atUs } = event;
    const subject = 'operation' in event ? event.operation : 0;
    this.#digest.add(kindCodes[event.kind], atUs % 2 ** 31, Math.floor(atUs / 2 ** 31), subject);
    switch (event.kind) {
      case 'script-executed':
        for (const change of event.keys) this.#addText(change.after ?? '');
        break;
      case 'check-settled': {
        const { outcome } = event;
        this.#digest.add(
          outcome?.allowed === true ? 1 : 0,
          outcome?.remaining ?? -1,
          outcome?.retryAfterMs ?? -1,
          outcome?.resetMs ?? -1,
        );
        break;
      }
      case 'fault':
        this.#digest.add(event.fault.id, event.phase === 'begin' ? 1 : 0);
        break;
      case 'host':
      case 'host-failure':
      case 'script-sent':
        this.#addText(event.host);
        break;
      default:
    }
  }

  hex(): string {
    return this.#digest.hex();
  }

  #addText(text: string): void {
    let hash = 0x811c9dc5;
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    }
    this.#digest.add(text.length, hash);
  }
}
