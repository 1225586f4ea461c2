// The exact token bucket: what one execution at the store must decide, and what it must leave behind.
// This is the oracle. It is written from the specification alone and shares no line with the
// limiter; `gcra.ts` says the same in other variables, and a property holds the two against each
// other. It knows nothing of keys, replies, expiry or the network: a missing state is `undefined`.

import { type BucketParameters, MICROTOKENS_PER_TOKEN } from './bucket-parameters.ts';
import {
  add,
  divideDown,
  divideUp,
  type Integer,
  multiply,
  smaller,
  subtract,
} from './integers.ts';

export interface BucketState {
  /** The policy revision whose parameters are in force. */
  readonly revision: number;
  readonly parameters: BucketParameters;
  /** The exact level, in units of 1/den microtoken. */
  readonly units: Integer;
  /** The store millisecond at which the level was true. */
  readonly lastMs: number;
}

export interface BucketRequest {
  readonly revision: number;
  readonly parameters: BucketParameters;
  /** Whole tokens; 0 only looks. */
  readonly cost: number;
  /** The store's clock, milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

export interface BucketDecision {
  readonly allowed: boolean;
  readonly reason: 'rate-limited' | 'cost-exceeds-capacity' | undefined;
  /** Whole tokens left after this decision. */
  readonly remaining: number;
  /** The smallest wait after which the same request is allowed; only when refused for its rate. */
  readonly retryAfterMs: number | undefined;
  /** Milliseconds until the bucket is full. */
  readonly resetMs: number;
  /** What the store must hold afterwards; `undefined` means no key. */
  readonly state: BucketState | undefined;
  /** Whether the store has to write at all. */
  readonly written: boolean;
  /** What the level would be written as, also when nothing is written. */
  readonly seen: BucketState;
  /** How the decision came about; the marks and the ledger read these. */
  readonly isNew: boolean;
  readonly isClamped: boolean;
  readonly isReanchored: boolean;
  readonly isRevised: boolean;
  /** Units that flowed in since `lastMs`, in the parameters stored until now, after the cap. */
  readonly refilledUnits: Integer;
}

/** Decides one request against the stored state, at the store's time. Changes nothing in place. */
export function decideTokenBucket(
  stored: BucketState | undefined,
  request: BucketRequest,
): BucketDecision {
  const { nowMs, cost } = request;
  const before = stored ?? openBucket(request);

  // Time never runs backwards for one bucket. A clock so far behind that the bucket could have
  // filled meanwhile was once wrong, so the bucket takes the present as its time, level unchanged.
  const isReanchored = before.lastMs - nowMs > before.parameters.fullMs;
  const isClamped = before.lastMs > nowMs && !isReanchored;
  const startMs = isReanchored ? nowMs : before.lastMs;
  const lastMs = isClamped ? before.lastMs : nowMs;

  const refilled = refill(before.units, lastMs - startMs, before.parameters);
  const isRevised = request.revision > before.revision;
  const parameters = isRevised ? request.parameters : before.parameters;
  const level = isRevised ? revise(refilled, before.parameters, parameters) : refilled;

  const costUnits = multiply(cost, parameters.tokenUnits);
  const isTooLarge = cost > parameters.capacity;
  const allowed = !isTooLarge && level >= costUnits;
  const units = allowed ? subtract(level, costUnits) : level;
  const seen: BucketState = {
    revision: isRevised ? request.revision : before.revision,
    parameters,
    units,
    lastMs,
  };

  // A refusal leaves the state as it was, so it can change no later answer. What a refusal does
  // keep is what is no debit: the present as the bucket's time, and the newer policy.
  const written = cost > 0 && (allowed || isReanchored || isRevised);
  const waitMs = isClamped ? lastMs - nowMs : 0;
  return {
    allowed,
    reason: allowed ? undefined : isTooLarge ? 'cost-exceeds-capacity' : 'rate-limited',
    remaining: Number(divideDown(units, parameters.tokenUnits)),
    retryAfterMs:
      allowed || isTooLarge
        ? undefined
        : waitMs + Number(divideUp(subtract(costUnits, units), parameters.num)),
    resetMs: waitMs + millisecondsToFull(units, parameters),
    state: written ? seen : stored,
    written,
    seen,
    isNew: stored === undefined,
    isClamped,
    isReanchored,
    isRevised,
    refilledUnits: subtract(refilled, before.units),
  };
}

/** The store millisecond from which on this state is the same as no state at all. */
export function fullAtMs(state: BucketState): number {
  return state.lastMs + millisecondsToFull(state.units, state.parameters);
}

function millisecondsToFull(units: Integer, parameters: BucketParameters): number {
  return Number(divideUp(subtract(parameters.capacityUnits, units), parameters.num));
}

/** A bucket nobody has used is full. */
function openBucket(request: BucketRequest): BucketState {
  const { revision, parameters, nowMs } = request;
  return { revision, parameters, units: parameters.capacityUnits, lastMs: nowMs };
}

function refill(units: Integer, elapsedMs: number, parameters: BucketParameters): Integer {
  if (elapsedMs === 0) return units;
  const filled = add(units, multiply(elapsedMs, parameters.num));
  return smaller(filled, parameters.capacityUnits);
}

/**
 * What was used stays used: the level moves by the difference of the capacities. The fraction of a
 * microtoken is dropped, since it has another denominator from here on; dropping mints nothing.
 */
function revise(units: Integer, from: BucketParameters, to: BucketParameters): Integer {
  const microtokens = divideDown(units, from.den);
  const added = multiply(to.capacity - from.capacity, MICROTOKENS_PER_TOKEN);
  const level = add(microtokens, added);
  if (level <= 0) return 0;
  return smaller(multiply(level, to.den), to.capacityUnits);
}
