// The numbered databases of one server and its open sessions. All databases share one clock.

import type { ServerState } from './commands/command.ts';
import { Keyspace } from './keyspace.ts';
import type { Session } from './session.ts';

export class Databases implements ServerState {
  readonly databaseCount = 16;
  readonly openSessions = new Set<Session>();
  readonly #first = new Keyspace();
  readonly #others = new Map<number, Keyspace>();
  #nowMs = 0;

  /** The time against which keys expire until it is set again. */
  setClock(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#first.nowMs = nowMs;
    if (this.#others.size === 0) return;
    for (const keyspace of this.#others.values()) keyspace.nowMs = nowMs;
  }

  database(index: number): Keyspace {
    if (index === 0) return this.#first;
    let keyspace = this.#others.get(index);
    if (keyspace === undefined) {
      keyspace = new Keyspace();
      keyspace.nowMs = this.#nowMs;
      this.#others.set(index, keyspace);
    }
    return keyspace;
  }

  *databases(): Generator<readonly [number, Keyspace]> {
    yield [0, this.#first];
    yield* this.#others;
  }

  sessions(): Iterable<Session> {
    return this.openSessions;
  }
}
