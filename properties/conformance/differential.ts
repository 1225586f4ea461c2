// Differential fuzzing: random requests run on the simulated store first, then the very same requests
// on a real Redis, and every reply is compared byte for byte. A mismatch is told with its requests, so
// that it can become a probe.

import { encodeReply, type Protocol } from '../../sim/redis/protocol/reply-encoder.ts';
import { Store } from '../../sim/redis/store.ts';
import { RawConnection } from './arms.ts';
import { encodeRequest } from './raw-reply.ts';

/** A conversation and what the simulated store answered to each request. */
export interface Expectation {
  readonly requests: readonly (readonly string[])[];
  readonly replies: readonly string[];
}

export interface Mismatch {
  readonly requests: readonly (readonly string[])[];
  readonly simulated: string;
  readonly real: string;
}

/** Requests sent to the real server in one go. */
const batchSize = 500;

/** Any instant; conversations do not depend on it. */
const startUs = 1_767_225_600_123_456;

/** Runs requests one by one on a simulated store, which lives on between calls. */
export class SimulatedConversation {
  readonly #store = new Store({ clockUs: () => startUs });
  readonly #session = this.#store.createSession();

  ask(args: readonly string[]): string {
    const reply = this.#store.execute(this.#session, args);
    const protocol: Protocol = this.#session.protocol;
    return encodeReply(reply, protocol);
  }

  askAll(requests: readonly (readonly string[])[]): Expectation {
    return { requests, replies: requests.map((args) => this.ask(args)) };
  }
}

/**
 * Runs the expectations on a real server in order and gives those that it answers otherwise.
 * `areEqual` makes allowance for what depends on the real clock.
 */
export async function findMismatches(
  port: number,
  expectations: readonly Expectation[],
  areEqual: (simulated: string, real: string, args: readonly string[]) => boolean,
): Promise<Mismatch[]> {
  const connection = await RawConnection.open(port);
  const mismatches: Mismatch[] = [];
  for (let start = 0; start < expectations.length; start += batchSize) {
    const batch = expectations.slice(start, start + batchSize);
    const requests = batch.flatMap((expectation) => expectation.requests);
    const replies = await connection.sendAll(requests.map(encodeRequest));
    let at = 0;
    for (const expectation of batch) {
      for (const [index, args] of expectation.requests.entries()) {
        const simulated = expectation.replies[index] ?? '';
        const real = replies[at] ?? '';
        if (!areEqual(simulated, real, args)) {
          mismatches.push({ requests: expectation.requests.slice(0, index + 1), simulated, real });
        }
        at += 1;
      }
    }
  }
  connection.close();
  return mismatches;
}

/** Draws for the fuzzers from one stream of numbers in [0, 1). */
export class Draw {
  readonly #next: () => number;

  constructor(next: () => number) {
    this.#next = next;
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  /** A whole number whose logarithm is even: small ones as likely as large ones. */
  magnitude(max: number): number {
    return Math.floor(Math.exp(this.#next() * Math.log(max + 1)));
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.#next() * items.length)] ?? items[0];
  }
}
