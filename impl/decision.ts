// The answer to a check. A denial is a value, never an exception; so is a store that failed.

/** Why a request was refused. */
export type DenialReason =
  /** The bucket holds less than the cost; `retryAfterMs` is when it will hold enough. */
  | 'rate-limited'
  /** The cost is more than the bucket can ever hold; there is no `retryAfterMs`. */
  | 'cost-exceeds-capacity'
  /** The limit is 0: it blocks all, without asking the store. */
  | 'limit-zero'
  /** The store gave no decision in time; `retryAfterMs` is short. Says nothing about the bucket. */
  | 'store-unavailable';

/** What kept the store from deciding. */
export type StoreFailure =
  /** No reply within the deadline. The script may have run: the outcome is unknown. */
  | 'deadline'
  /** There was no connection to ask over. Nothing was sent. */
  | 'not-connected'
  /** The connection broke before the reply. The script may have run: the outcome is unknown. */
  | 'connection-lost'
  /** The store refused the script, or answered something else; `message` has its words. */
  | 'store-error'
  /** The key holds something that no script of this limiter wrote. */
  | 'foreign-state'
  /** The limiter was closed before the decision. */
  | 'closed';

/** What the script noted beside the decision. */
export type DecisionNote =
  /** The store's clock is behind the bucket's; the bucket's time stands still meanwhile. */
  | 'clock-behind'
  /** It was behind by more than the time to full: the bucket went on from the store's present. */
  | 're-anchored'
  /** This limiter's policy was newer and replaced the stored parameters. */
  | 'parameters-replaced'
  /** Decided under the parameters of a newer policy revision that another limiter has brought. */
  | 'newer-revision-ruled'
  /** Other parameters are stored under the same revision, and ruled: someone forgot to raise it. */
  | 'revision-conflict';

/** One limit's part in a decision. */
export interface LimitState {
  readonly id: string;
  /** Whole tokens left, of `capacity`. */
  readonly remaining: number;
  readonly capacity: number;
  /** Milliseconds until the bucket is full. */
  readonly resetMs: number;
  /** The policy's own words: so many tokens in each period. */
  readonly rate: { readonly tokens: number; readonly periodMs: number };
  readonly notes: readonly DecisionNote[];
}

export interface Decision {
  readonly kind: 'allowed' | 'denied';
  /** Present on every denial. */
  readonly reason?: DenialReason;
  /** Tokens asked for; 0 was a peek. */
  readonly cost: number;
  /** How long the caller should hold the request before it goes on; always 0 for token buckets. */
  readonly delayMs: number;
  /** Whole tokens left in the binding limit: the floor of its true level. */
  readonly remaining: number;
  /**
   * On `rate-limited` a promise: with no other traffic the same request succeeds at this many
   * milliseconds of store time from the decision, and not one earlier. On `store-unavailable` a hint.
   */
  readonly retryAfterMs?: number;
  /** Milliseconds until the binding limit is full. */
  readonly resetMs: number;
  /** The limit that refused, or the one nearest its limit; `undefined` when none applies. */
  readonly binding: string | undefined;
  readonly limits: readonly LimitState[];
  /** Shadow limits that would have refused. */
  readonly wouldBlock: readonly string[];
  /** Whether this was decided by something weaker than the policy asks for. */
  readonly degraded: boolean;
  /** `store` when a script's reply decided, `none` when no script was needed or none answered. */
  readonly source: 'store' | 'none';
  /** Present on `store-unavailable`. */
  readonly failure?: { readonly code: StoreFailure; readonly message: string };
}
