// The two clocks of one host. The monotonic clock counts true time, faster or slower by its drift;
// the wall clock is the monotonic clock plus an offset that may be stepped. So drift applies to
// both, offsets and steps to the wall clock only. All integers, in microseconds.

/** Where true time comes from: the kernel. */
export interface TrueTime {
  readonly nowUs: number;
}

const PARTS = 1_000_000;

export class HostClock {
  readonly #trueTime: TrueTime;
  readonly #onDrift: () => void;
  #anchorTrueUs: number;
  #anchorMonotonicUs: number;
  #driftPpm = 0;
  /** Wall minus monotonic. */
  #wallOffsetUs: number;

  constructor(
    trueTime: TrueTime,
    options: {
      readonly epochMs: number;
      readonly offsetMs: number;
      readonly driftPpm: number;
      readonly onDrift: () => void;
    },
  ) {
    this.#trueTime = trueTime;
    this.#onDrift = options.onDrift;
    this.#anchorTrueUs = trueTime.nowUs;
    this.#anchorMonotonicUs = trueTime.nowUs;
    this.#wallOffsetUs = (options.epochMs + options.offsetMs) * 1000;
    this.#driftPpm = options.driftPpm;
  }

  /** Microseconds since the run's start by this host's monotonic clock. */
  monotonicUs(): number {
    return this.#monotonicAt(this.#trueTime.nowUs);
  }

  /** Microseconds since the Unix epoch by this host's wall clock. */
  wallUs(): number {
    return this.#monotonicAt(this.#trueTime.nowUs) + this.#wallOffsetUs;
  }

  /** Whole milliseconds since the Unix epoch, as Date.now(). */
  wallMs(): number {
    return Math.floor(this.wallUs() / 1000);
  }

  /** The wall clock jumps, forward or back. Timers do not notice, as in Node. */
  step(milliseconds: number): void {
    this.#wallOffsetUs += milliseconds * 1000;
  }

  /** From now on both clocks gain `ppm` microseconds per true second; pending timers follow. */
  setDrift(ppm: number): void {
    if (!(ppm > -PARTS)) throw new Error(`Expected drift above -1000000 ppm, got ${ppm}.`);
    const nowUs = this.#trueTime.nowUs;
    this.#anchorMonotonicUs = this.#monotonicAt(nowUs);
    this.#anchorTrueUs = nowUs;
    this.#driftPpm = ppm;
    this.#onDrift();
  }

  /** The first true instant at which the monotonic clock reads at least `monotonicUs`. */
  trueTimeOf(monotonicUs: number): number {
    const gap = monotonicUs - this.#anchorMonotonicUs;
    if (this.#driftPpm === 0) return this.#anchorTrueUs + gap;
    let trueUs = this.#anchorTrueUs + Math.floor((gap * PARTS) / (PARTS + this.#driftPpm));
    while (this.#monotonicAt(trueUs) >= monotonicUs) trueUs -= 1;
    while (this.#monotonicAt(trueUs) < monotonicUs) trueUs += 1;
    return trueUs;
  }

  #monotonicAt(trueUs: number): number {
    const elapsed = trueUs - this.#anchorTrueUs;
    const drift = this.#driftPpm;
    if (drift === 0) return this.#anchorMonotonicUs + elapsed;
    return this.#anchorMonotonicUs + elapsed + Math.floor((elapsed * drift) / PARTS);
  }
}
