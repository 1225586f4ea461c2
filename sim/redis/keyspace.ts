// One database: keys, values, expiry, and who watches what. Expired keys are removed when they are
// next looked at, so nothing here depends on a background task.
//
// A key lives through its expiry millisecond: it is gone when the clock is past it (Redis 7.0).

import type { SortedSet } from './values/sorted-set.ts';

export type Hash = Map<string, string>;
export type Value = string | Hash | SortedSet;

/** Expiry of a key without one. */
export const never = Number.POSITIVE_INFINITY;

export class Entry {
  value: Value;
  /** Milliseconds since the Unix epoch by the store's clock; `never` without an expiry. */
  expiresAtMs: number;

  constructor(value: Value, expiresAtMs: number) {
    this.value = value;
    this.expiresAtMs = expiresAtMs;
  }
}

/** Someone whose transaction fails when a watched key changes. */
export interface Watcher {
  hasConflict: boolean;
}

export class Keyspace {
  readonly #entries = new Map<string, Entry>();
  /** The last key asked for, as the very text it was asked by: scripts ask for one key many times. */
  #lastKey = '';
  #lastEntry: Entry | undefined;
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** The clock against which keys expire, set by the store at each command's start. */
  nowMs = 0;

  /** The live entry of a key; an expired one is removed. */
  find(key: string): Entry | undefined {
    const entry = this.#get(key);
    if (entry === undefined || entry.expiresAtMs >= this.nowMs) return entry;
    this.#remove(key);
    this.touch(key);
    return undefined;
  }

  /** The entry of a key at a time, without removing anything. */
  peek(key: string, nowMs: number): Entry | undefined {
    const entry = this.#get(key);
    return entry === undefined || entry.expiresAtMs >= nowMs ? entry : undefined;
  }

  /** Sets the value; any former expiry is replaced. */
  set(key: string, value: Value, expiresAtMs: number): void {
    const entry = this.#get(key);
    if (entry === undefined) {
      const added = new Entry(value, expiresAtMs);
      this.#entries.set(key, added);
      this.#lastEntry = added;
    } else {
      entry.value = value;
      entry.expiresAtMs = expiresAtMs;
    }
    this.touch(key);
  }

  delete(key: string): boolean {
    if (this.find(key) === undefined) return false;
    this.#remove(key);
    this.touch(key);
    return true;
  }

  /** Says that a key has changed. Every writing command does, `set` and `delete` by themselves. */
  touch(key: string): void {
    if (this.#watchers.size === 0) return;
    for (const watcher of this.#watchers.get(key) ?? []) watcher.hasConflict = true;
  }

  clear(): void {
    for (const key of this.#watchers.keys()) {
      if (this.find(key) !== undefined) this.touch(key);
    }
    this.#entries.clear();
    this.#lastEntry = undefined;
  }

  /** Live keys, in the order in which they were first set. */
  *keys(): Generator<string> {
    for (const [key, entry] of this.#entries) {
      if (entry.expiresAtMs >= this.nowMs) yield key;
    }
  }

  count(): number {
    let count = 0;
    for (const entry of this.#entries.values()) {
      if (entry.expiresAtMs >= this.nowMs) count += 1;
    }
    return count;
  }

  #get(key: string): Entry | undefined {
    if (key !== this.#lastKey) {
      this.#lastKey = key;
      this.#lastEntry = this.#entries.get(key);
    }
    return this.#lastEntry;
  }

  #remove(key: string): void {
    this.#entries.delete(key);
    if (key === this.#lastKey) this.#lastEntry = undefined;
  }

  watch(key: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers.add(watcher));
  }

  unwatch(key: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(key);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watchers.delete(key);
  }
}
