// The checks that wait for the store. All have the same deadline, so the order in which they began
// is the order in which they expire: a linked list and one timer serve any number of them.

/** What the queue keeps about an entry; the owner extends it. */
export class DeadlineEntry {
  /** On the clock of `performance.now()`. */
  declare dueMs: number;
  declare previous: this | undefined;
  declare next: this | undefined;

  constructor() {
    this.dueMs = 0;
    this.previous = undefined;
    this.next = undefined;
  }
}

/** A timer may fire up to this much early: timers count in whole milliseconds of the event loop. */
const TIMER_GRAIN_MS = 1;

export class DeadlineQueue<Entry extends DeadlineEntry> {
  readonly #deadlineMs: number;
  readonly #onExpired: (entry: Entry) => void;
  #first: Entry | undefined;
  #last: Entry | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onExpired` gets each entry that is still queued at its deadline, already removed. */
  constructor(deadlineMs: number, onExpired: (entry: Entry) => void) {
    this.#deadlineMs = deadlineMs;
    this.#onExpired = onExpired;
  }

  get first(): Entry | undefined {
    return this.#first;
  }

  add(entry: Entry): void {
    entry.dueMs = performance.now() + this.#deadlineMs;
    entry.previous = this.#last;
    if (this.#last === undefined) {
      this.#first = entry;
    } else {
      this.#last.next = entry;
    }
    this.#last = entry;
    // A timer that is already set stays, also for entries long gone: it is cheaper to find nothing
    // due once per deadline than to set and clear a timer per check.
    this.#timer ??= setTimeout(this.#expire, this.#deadlineMs);
  }

  remove(entry: Entry): void {
    if (entry.previous === undefined) {
      this.#first = entry.next;
    } else {
      entry.previous.next = entry.next;
    }
    if (entry.next === undefined) {
      this.#last = entry.previous;
    } else {
      entry.next.previous = entry.previous;
    }
    entry.previous = undefined;
    entry.next = undefined;
  }

  /** Stops the timer. Entries still queued are the owner's to settle. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #expire = (): void => {
    this.#timer = undefined;
    const now = performance.now();
    let entry = this.#first;
    while (entry !== undefined && entry.dueMs <= now + TIMER_GRAIN_MS) {
      this.remove(entry);
      this.#onExpired(entry);
      entry = this.#first;
    }
    if (entry !== undefined) {
      this.#timer = setTimeout(this.#expire, Math.ceil(entry.dueMs - now));
    }
  };
}
