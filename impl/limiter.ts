// The limiter: descriptor → limit → one script on the store → decision. Each check settles exactly
// once and within its deadline, whatever the store does; a reply that comes later is dropped.
//
// Safety: nobody is admitted without the store's word, no script is sent for a check that has
// settled, and at most one per check (one more when the store did not know it).
// What it leaves out: the algorithm, which is the script's, and the connection's life.

import type { Decision, StoreFailure } from './decision.ts';
import type { Descriptor } from './descriptor/descriptor.ts';
import { createKeyEncoder } from './key/key-encoder.ts';
import { parsePolicies } from './policy/parse-policies.ts';
import { type CompiledLimit, PolicySet } from './policy/policy-set.ts';
import type { PolicyDocument } from './policy/schema.ts';
import { StoreConnection } from './store/connection.ts';
import { DeadlineEntry, DeadlineQueue } from './store/deadline-queue.ts';
import { readReply } from './store/read-reply.ts';
import type { RedisClient } from './store/redis-client.ts';
import { TOKEN_BUCKET_SCRIPT } from './store/script.ts';
import { UsageError } from './usage-error.ts';

export interface LimiterOptions {
  /** A client whose connection is duplicated; the client itself is never used, nor closed. */
  readonly redis: RedisClient;
  /** The limits: a set from `parsePolicies`, or a document as data or text (which may throw). */
  readonly policies: PolicySet | PolicyDocument | string;
  /** Milliseconds within which each check settles, 1 to 60 000. Default 50. */
  readonly deadlineMs?: number;
  /** First part of every key in the store; no braces. Default "weir". */
  readonly keyPrefix?: string;
}

export interface CheckOptions {
  /** Whole tokens the request costs. 0 is a peek: it consumes nothing. Default 1. */
  readonly cost?: number | undefined;
}

export interface Limiter {
  /**
   * Asks whether a request may go on. Rejects only with a `UsageError`: a cost that is negative,
   * fractional, NaN or past 2^53, or a descriptor with a part that is no string.
   */
  check(descriptor: Descriptor, options?: CheckOptions): Promise<Decision>;
  /** Resolves once the store can be asked. Rejects when the limiter is closed before. */
  ready(): Promise<void>;
  /** Denies what is pending, closes the connection. Always settles; later checks are denied. */
  close(): Promise<void>;
}

/** What a client should wait after a store failure: long enough not to press, short enough to try. */
export const STORE_RETRY_AFTER_MS = 1000;

const DEFAULT_DEADLINE_MS = 50;
const LONGEST_DEADLINE_MS = 60_000;

/**
 * Creates a limiter, and opens its connection.
 *
 * @throws PolicyError for policies that cannot be used, UsageError for other options
 * @example
 * const limiter = createLimiter({ redis: new Redis(), policies: readFileSync('limits.yaml', 'utf8') });
 * const decision = await limiter.check({ tenant, user, method: 'GET', route: '/orders/17' });
 * if (decision.kind === 'denied') { … }
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { policies, deadlineMs = DEFAULT_DEADLINE_MS, keyPrefix = 'weir' } = options;
  if (!Number.isInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > LONGEST_DEADLINE_MS) {
    const message = `Expected deadlineMs to be a whole number from 1 to ${LONGEST_DEADLINE_MS}, got ${deadlineMs}.`;
    throw new UsageError('invalid-options', message);
  }
  if (!/^[^{}\s]{1,100}$/.test(keyPrefix)) {
    const message = `Expected keyPrefix to be 1 to 100 characters without braces or spaces, got "${keyPrefix}".`;
    throw new UsageError('invalid-options', message);
  }
  const set = policies instanceof PolicySet ? policies : parsePolicies(policies);
  return new StoreLimiter(options.redis, set, deadlineMs, keyPrefix);
}

/** A limit with all that does not change from check to check. */
interface PreparedLimit {
  readonly limit: CompiledLimit;
  readonly encodeKey: (descriptor: Descriptor) => string;
  /** The script's arguments after the cost. */
  readonly parameters: readonly [revision: string, num: string, den: string, capacity: string];
}

/** Fields are declared and set in the constructor: definitions would cost more, once per check. */
class PendingCheck extends DeadlineEntry {
  declare isSent: boolean;
  declare isSettled: boolean;
  declare readonly prepared: PreparedLimit;
  declare readonly key: string;
  declare readonly cost: number;
  declare readonly resolve: (decision: Decision) => void;

  constructor(
    prepared: PreparedLimit,
    key: string,
    cost: number,
    resolve: (decision: Decision) => void,
  ) {
    super();
    this.isSent = false;
    this.isSettled = false;
    this.prepared = prepared;
    this.key = key;
    this.cost = cost;
    this.resolve = resolve;
  }
}

class StoreLimiter implements Limiter {
  readonly #policies: PolicySet;
  readonly #prepared: readonly (PreparedLimit | undefined)[];
  readonly #connection: StoreConnection;
  readonly #pending: DeadlineQueue<PendingCheck>;
  readonly #readyWaiters = new Set<{ resolve: () => void; reject: (error: Error) => void }>();
  #isClosed = false;

  constructor(redis: RedisClient, policies: PolicySet, deadlineMs: number, keyPrefix: string) {
    this.#policies = policies;
    this.#prepared = policies.limits.map((limit) => prepare(limit, policies.revision, keyPrefix));
    this.#pending = new DeadlineQueue(deadlineMs, (check) => this.#expire(check));
    this.#connection = new StoreConnection(redis, () => this.#onReady());
  }

  check(descriptor: Descriptor, options?: CheckOptions): Promise<Decision> {
    const cost = options?.cost === undefined ? 1 : options.cost;
    if (!Number.isSafeInteger(cost) || cost < 0) {
      const message = `Expected cost to be a whole number of tokens from 0 to 2^53 - 1, got ${String(cost)}.`;
      return Promise.reject(new UsageError('invalid-cost', message));
    }
    const limit = this.#policies.find(descriptor.method, descriptor.route);
    if (limit === undefined) {
      return Promise.resolve(allowWithoutLimit(cost));
    }
    const prepared = this.#prepared[limit.index];
    if (prepared === undefined) {
      return Promise.resolve(denyAtZero(limit, cost));
    }
    return new Promise((resolve) => {
      this.#begin(new PendingCheck(prepared, prepared.encodeKey(descriptor), cost, resolve));
    });
  }

  ready(): Promise<void> {
    if (this.#isClosed) {
      return Promise.reject(new LimiterClosedError());
    }
    if (this.#connection.isReady()) {
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.#readyWaiters.add({ resolve, reject });
    });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#pending.stop();
    let check = this.#pending.first;
    while (check !== undefined) {
      this.#pending.remove(check);
      this.#settle(check, denyWithoutStore(check, 'closed', 'The limiter was closed.'));
      check = this.#pending.first;
    }
    for (const waiter of this.#readyWaiters) {
      waiter.reject(new LimiterClosedError());
    }
    this.#readyWaiters.clear();
    return this.#connection.close();
  }

  #begin(check: PendingCheck): void {
    if (this.#isClosed) {
      this.#settle(check, denyWithoutStore(check, 'closed', 'The limiter is closed.'));
    } else if (this.#connection.isReady()) {
      this.#pending.add(check);
      this.#send(check);
    } else if (this.#connection.isStarting()) {
      // Not sent yet: `#onReady` does, if the deadline has not passed by then.
      this.#pending.add(check);
    } else {
      this.#settle(check, denyWithoutStore(check, 'not-connected', 'The store is not connected.'));
    }
  }

  #onReady(): void {
    for (const waiter of this.#readyWaiters) {
      waiter.resolve();
    }
    this.#readyWaiters.clear();
    for (let check = this.#pending.first; check !== undefined; check = check.next) {
      if (!check.isSent) {
        this.#send(check);
      }
    }
  }

  #send(check: PendingCheck): void {
    check.isSent = true;
    const [revision, num, den, capacity] = check.prepared.parameters;
    this.#connection.client
      .evalsha(
        TOKEN_BUCKET_SCRIPT.sha,
        1,
        check.key,
        String(check.cost),
        revision,
        num,
        den,
        capacity,
      )
      .then(
        (reply) => this.#onReply(check, reply),
        (error: unknown) => {
          // After a restart, a failover or SCRIPT FLUSH the store asks for the text.
          if (isScriptUnknown(error) && !check.isSettled) {
            this.#sendText(check);
          } else {
            this.#onError(check, error);
          }
        },
      );
  }

  #sendText(check: PendingCheck): void {
    this.#connection.noteReply();
    const { key, cost, prepared } = check;
    this.#connection.client
      .eval(TOKEN_BUCKET_SCRIPT.text, 1, key, String(cost), ...prepared.parameters)
      .then(
        (reply) => this.#onReply(check, reply),
        (error: unknown) => this.#onError(check, error),
      );
  }

  #onReply(check: PendingCheck, reply: unknown): void {
    this.#connection.noteReply();
    if (check.isSettled) {
      return;
    }
    this.#pending.remove(check);
    const decision =
      readReply(reply, check.prepared.limit, check.cost) ??
      denyWithoutStore(check, 'store-error', 'The store answered something else than a decision.');
    this.#settle(check, decision);
  }

  #onError(check: PendingCheck, error: unknown): void {
    const code = classifyError(error);
    if (code !== 'connection-lost') {
      this.#connection.noteReply();
    }
    if (check.isSettled) {
      return;
    }
    this.#pending.remove(check);
    const message = error instanceof Error ? error.message : String(error);
    this.#settle(check, denyWithoutStore(check, code, message));
  }

  #expire(check: PendingCheck): void {
    if (check.isSent) {
      this.#connection.noteSilence();
      this.#settle(check, denyWithoutStore(check, 'deadline', 'The store did not answer in time.'));
    } else {
      const message = 'The store was not ready in time.';
      this.#settle(check, denyWithoutStore(check, 'not-connected', message));
    }
  }

  #settle(check: PendingCheck, decision: Decision): void {
    check.isSettled = true;
    check.resolve(decision);
  }
}

/** Rejects `ready()` of a limiter that was closed first. */
export class LimiterClosedError extends Error {
  readonly code = 'limiter-closed';

  constructor() {
    super('The limiter was closed.');
    this.name = 'LimiterClosedError';
  }
}

function prepare(
  limit: CompiledLimit,
  revision: number,
  keyPrefix: string,
): PreparedLimit | undefined {
  if (limit.bucket === undefined) {
    return undefined;
  }
  const { num, den, capacity } = limit.bucket;
  return {
    limit,
    encodeKey: createKeyEncoder(keyPrefix, limit),
    parameters: [String(revision), String(num), String(den), String(capacity)],
  };
}

function isScriptUnknown(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** An error reply is the store's word; any other error of the client means that there is none. */
function classifyError(error: unknown): StoreFailure {
  if (!(error instanceof Error) || error.name !== 'ReplyError') {
    return 'connection-lost';
  }
  return error.message.startsWith('WEIRSTATE') ? 'foreign-state' : 'store-error';
}

const WITHOUT_STORE = {
  delayMs: 0,
  limits: [],
  wouldBlock: [],
  degraded: false,
  source: 'none',
} as const;

function allowWithoutLimit(cost: number): Decision {
  const remaining = Number.MAX_SAFE_INTEGER;
  return { kind: 'allowed', cost, remaining, resetMs: 0, binding: undefined, ...WITHOUT_STORE };
}

function denyAtZero({ id, rate }: CompiledLimit, cost: number): Decision {
  const limits = [{ id, remaining: 0, capacity: 0, resetMs: 0, rate, notes: [] }];
  const amounts = { cost, remaining: 0, resetMs: 0, binding: id };
  return { kind: 'denied', reason: 'limit-zero', ...amounts, ...WITHOUT_STORE, limits };
}

function denyWithoutStore(check: PendingCheck, code: StoreFailure, message: string): Decision {
  return {
    kind: 'denied',
    reason: 'store-unavailable',
    cost: check.cost,
    remaining: 0,
    retryAfterMs: STORE_RETRY_AFTER_MS,
    resetMs: 0,
    binding: check.prepared.limit.id,
    failure: { code, message },
    ...WITHOUT_STORE,
  };
}
