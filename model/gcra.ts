// GCRA, the generic cell rate algorithm: the token bucket in other variables. Instead of a level it
// keeps the *theoretical arrival time* (TAT), the instant at which the bucket will be full. It is
// here as a second oracle, written independently: two formulations that agree decision for decision
// on generated histories are unlikely to share a mistake. Times are rationals with denominator
// `num`, held as integers of *ticks*: 1 tick = 1/num millisecond, the time one unit needs.
//
// Source: ITU-T I.371, annex A, extended by what a distributed store needs (a clock that goes back,
// and parameters that change).

import type { BucketParameters } from './bucket-parameters.ts';
import type { BucketRequest } from './token-bucket.ts';

export interface GcraState {
  readonly revision: number;
  readonly parameters: BucketParameters;
  /** Theoretical arrival time in ticks of 1/num ms since the epoch. */
  readonly tatTicks: bigint;
  /** The latest store millisecond that counted; time never runs back behind it. */
  readonly clockMs: number;
}

export interface GcraDecision {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterMs: number | undefined;
  readonly resetMs: number;
  readonly state: GcraState | undefined;
}

/** Decides as `decideTokenBucket` does, from the arrival time. */
export function decideGcra(stored: GcraState | undefined, request: BucketRequest): GcraDecision {
  const { state, mustKeep } = arrive(stored, request);
  const { parameters, clockMs, tatTicks } = state;
  const clockTicks = BigInt(clockMs) * parameters.num;
  const nowTicks = BigInt(request.nowMs) * parameters.num;
  const limitTicks = clockTicks + parameters.capacityUnits;
  const costTicks = BigInt(request.cost) * parameters.tokenUnits;
  const candidateTicks = tatTicks + costTicks;

  const allowed = candidateTicks <= limitTicks;
  const after = allowed ? { ...state, tatTicks: candidateTicks } : state;
  const isWritten = request.cost > 0 && (allowed || mustKeep);
  const isPossible = costTicks <= parameters.capacityUnits;
  const fullTicks = after.tatTicks > clockTicks ? after.tatTicks : clockTicks;
  return {
    allowed,
    remaining: Number((limitTicks - after.tatTicks) / parameters.tokenUnits),
    retryAfterMs:
      allowed || !isPossible
        ? undefined
        : ceilMs(candidateTicks - parameters.capacityUnits - nowTicks, parameters),
    resetMs: ceilMs(fullTicks - nowTicks, parameters),
    state: isWritten ? after : stored,
  };
}

/** The state as the request finds it, and whether a refusal has to keep it. */
function arrive(
  stored: GcraState | undefined,
  request: BucketRequest,
): { state: GcraState; mustKeep: boolean } {
  const { revision, parameters, nowMs } = request;
  if (stored === undefined) {
    const tatTicks = BigInt(nowMs) * parameters.num;
    return { state: { revision, parameters, tatTicks, clockMs: nowMs }, mustKeep: false };
  }
  const anchored = followClock(stored, nowMs);
  const mustKeep = revision > stored.revision;
  return {
    state: mustKeep ? adopt(anchored, revision, parameters) : anchored,
    mustKeep: mustKeep || anchored.clockMs < stored.clockMs,
  };
}

/** Moves the clock on, holds it, or (when it is further off than a full refill) sets it back. */
function followClock(state: GcraState, nowMs: number): GcraState {
  const { num, capacityUnits } = state.parameters;
  const aheadTicks = BigInt(state.clockMs - nowMs) * num;
  if (aheadTicks > 0n && !isFurtherThanFull(aheadTicks, capacityUnits, num)) return state;
  // Setting the clock back moves the arrival time with it, so the level does not change.
  const tatTicks = aheadTicks > 0n ? state.tatTicks - aheadTicks : state.tatTicks;
  const nowTicks = BigInt(nowMs) * num;
  return { ...state, clockMs: nowMs, tatTicks: tatTicks > nowTicks ? tatTicks : nowTicks };
}

/** Compared in whole milliseconds, as the time to full is counted in them. */
function isFurtherThanFull(aheadTicks: bigint, capacityUnits: bigint, num: bigint): boolean {
  return aheadTicks >= capacityUnits + (num - (capacityUnits % num || num)) + 1n;
}

/** Restates the debt (what is missing to full) under other parameters, rounded up to a microtoken. */
function adopt(state: GcraState, revision: number, parameters: BucketParameters): GcraState {
  const clockTicks = BigInt(state.clockMs) * state.parameters.num;
  const debtUnits = state.tatTicks - clockTicks;
  const { den } = state.parameters;
  const debtMicrotokens = (debtUnits + den - 1n) / den;
  const debt = debtMicrotokens * parameters.den;
  const capped = debt < parameters.capacityUnits ? debt : parameters.capacityUnits;
  const tatTicks = BigInt(state.clockMs) * parameters.num + capped;
  return { revision, parameters, tatTicks, clockMs: state.clockMs };
}

function ceilMs(ticks: bigint, parameters: BucketParameters): number {
  return ticks <= 0n ? 0 : Number((ticks + parameters.num - 1n) / parameters.num);
}
