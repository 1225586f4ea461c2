// The promise of a token bucket to what it protects: in any interval [s, t] of true time it admits
// at most capacity + rate·(t − s), however many replicas ask, plus stated allowances.
//
// All intervals are checked at once by a *fluid potential* W, a leaky bucket run backwards: it rises
// by the cost of each admission, drains at the rate, and never falls below zero. W at t is the most
// that was admitted beyond the rate in any interval that ends at t; that interval begins where W last
// was zero. The bound is broken exactly when W exceeds the capacity (and the allowance for the
// store's clock, which counts whole milliseconds: rate·1 ms).
//
// An admission whose instant is known only within some time before may lie outside the interval it is
// counted in, so the longest such uncertainty in an interval widens it: rate × that time on top.
//
// This is arithmetic on true time in microseconds, in floating point with a slack of one microtoken;
// the exact decisions are judged by the exact bucket. Written for one bucket; costs in tokens.

import type { BucketParameters } from './bucket-parameters.ts';

/** Below any cost, above any rounding error of a run. */
const SLACK_MICROTOKENS = 1;

export interface Admission {
  /** True time of the debit at the store. */
  readonly atUs: number;
  readonly cost: number;
  /** The parameters in force after it. */
  readonly parameters: BucketParameters;
  /** How many milliseconds the store's clock has ever gained on true time, up to now. */
  readonly clockGainMs: number;
  /** Whether the store lost this bucket since the last admission: it is full again. */
  readonly isLost: boolean;
  /** By how much earlier it may really have happened; 0 where its instant is known. */
  readonly uncertainUs: number;
}

export class AdmissionBound {
  /** The worst observed/bound over all intervals so far; above 1 the promise is broken. */
  worstRatio = 0;
  /** The interval of the last admission: what was admitted in it and what was allowed. */
  observedTokens = 0;
  boundTokens = 0;
  intervalStartUs = 0;

  #parameters: BucketParameters | undefined;
  #ratePerUs = 0;
  #capacity = 0;
  #observed = 0;
  #supplied = 0;
  #lastUs = 0;
  #gainMs = 0;
  #uncertainUs = 0;

  /** Takes in one admission, in the order of the debits. Answers whether the bound still holds. */
  admit(admission: Admission): boolean {
    this.#drain(admission);
    if (this.#observed <= this.#supplied) this.#restart(admission.atUs);
    this.#observed += admission.cost * 1_000_000;
    if (admission.uncertainUs > this.#uncertainUs) this.#uncertainUs = admission.uncertainUs;
    const bound = this.#capacity + this.#ratePerUs * (1000 + this.#uncertainUs) + this.#supplied;
    this.observedTokens = this.#observed / 1_000_000;
    this.boundTokens = bound / 1_000_000;
    const ratio = this.#observed / bound;
    if (ratio > this.worstRatio) this.worstRatio = ratio;
    return this.#observed <= bound + SLACK_MICROTOKENS;
  }

  /** Supplies what time, the clock's gain, a loss and a policy change allow since the last one. */
  #drain(admission: Admission): void {
    const gain = this.#ratePerUs * 1000 * (admission.clockGainMs - this.#gainMs);
    this.#supplied +=
      this.#ratePerUs * (admission.atUs - this.#lastUs) + Math.min(this.#capacity, gain);
    if (admission.isLost) this.#supplied += this.#capacity;
    this.#lastUs = admission.atUs;
    this.#gainMs = admission.clockGainMs;
    if (admission.parameters !== this.#parameters) this.#adopt(admission.parameters);
  }

  /**
   * A whole millisecond may have begun under the faster of two rates, so a drop allows for one.
   *
   * A larger capacity adds its difference to level and bound alike. A smaller one takes the
   * difference from the level, but never below empty: what was used before it is not held against
   * the smaller capacity.
   */
  #adopt(parameters: BucketParameters): void {
    this.#parameters = parameters;
    const ratePerUs = Number(parameters.num) / Number(parameters.den) / 1000;
    this.#supplied += Math.max(0, this.#ratePerUs - ratePerUs) * 1000;
    this.#ratePerUs = ratePerUs;
    this.#capacity = parameters.capacity * 1_000_000;
    const excess = this.#observed - this.#supplied - this.#capacity;
    if (excess > 0) this.#supplied += excess;
  }

  #restart(atUs: number): void {
    this.#observed = 0;
    this.#supplied = 0;
    this.#uncertainUs = 0;
    this.intervalStartUs = atUs;
  }
}
