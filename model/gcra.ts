// GCRA, the generic cell rate algorithm: the token bucket in other variables. Instead of a level it
// keeps the *theoretical arrival time* (TAT), the instant at which the bucket will be full. It is
// here as a second oracle, written independently: two formulations that agree decision for decision
// on generated histories are unlikely to share a mistake. Times are rationals with denominator
// `num`, held as integers of *ticks*: 1 tick = 1/num millisecond, the time one unit needs.
//
// It computes in `bigint` throughout, so it also checks the model's own arithmetic on numbers.
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
  const capacityTicks = BigInt(parameters.capacityUnits);
  const tokenTicks = BigInt(parameters.tokenUnits);
  const clockTicks = toTicks(clockMs, parameters);
  const nowTicks = toTicks(request.nowMs, parameters);
  const limitTicks = clockTicks + capacityTicks;
  const costTicks = BigInt(request.cost) * tokenTicks;
  const candidateTicks = tatTicks + costTicks;

  const allowed = candidateTicks <= limitTicks;
  const after = allowed ? { ...state, tatTicks: candidateTicks } : state;
  const isWritten = request.cost > 0 && (allowed || mustKeep);
  const isPossible = costTicks <= capacityTicks;
  const missingTicks = after.tatTicks - clockTicks;
  const fullTicks = missingTicks > 0n ? after.tatTicks : clockTicks;
  return {
    allowed,
    remaining: Number((limitTicks - after.tatTicks) / tokenTicks),
    retryAfterMs:
      allowed || !isPossible
        ? undefined
        : ceilMs(candidateTicks - capacityTicks - nowTicks, parameters),
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
    const tatTicks = toTicks(nowMs, parameters);
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
  const aheadTicks = toTicks(state.clockMs - nowMs, state.parameters);
  if (aheadTicks > 0n && !isFurtherThanFull(aheadTicks, state.parameters)) return state;
  // Setting the clock back moves the arrival time with it, so the level does not change.
  const tatTicks = aheadTicks > 0n ? state.tatTicks - aheadTicks : state.tatTicks;
  const nowTicks = toTicks(nowMs, state.parameters);
  return { ...state, clockMs: nowMs, tatTicks: tatTicks > nowTicks ? tatTicks : nowTicks };
}

/** Compared in whole milliseconds, as the time to full is counted in them. */
function isFurtherThanFull(aheadTicks: bigint, parameters: BucketParameters): boolean {
  const num = BigInt(parameters.num);
  const capacityTicks = BigInt(parameters.capacityUnits);
  return aheadTicks >= capacityTicks + (num - (capacityTicks % num || num)) + 1n;
}

/** Restates the debt (what is missing to full) under other parameters, rounded up to a microtoken. */
function adopt(state: GcraState, revision: number, parameters: BucketParameters): GcraState {
  const debtUnits = state.tatTicks - toTicks(state.clockMs, state.parameters);
  const den = BigInt(state.parameters.den);
  const debtMicrotokens = (debtUnits + den - 1n) / den;
  const debt = debtMicrotokens * BigInt(parameters.den);
  const fullDebt = BigInt(parameters.capacityUnits);
  const tatTicks = toTicks(state.clockMs, parameters) + (debt < fullDebt ? debt : fullDebt);
  return { revision, parameters, tatTicks, clockMs: state.clockMs };
}

function ceilMs(ticks: bigint, parameters: BucketParameters): number {
  const num = BigInt(parameters.num);
  return ticks <= 0n ? 0 : Number((ticks + num - 1n) / num);
}

function toTicks(milliseconds: number, parameters: BucketParameters): bigint {
  return BigInt(milliseconds) * BigInt(parameters.num);
}
