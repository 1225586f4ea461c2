// What the store's clock did, as far as the history tells: how much it ever gained on true time (the
// admission bound allows what a gain refills) and how far ahead it once stood (keys may have expired
// there before it was set back).

/** A clock that was set back: until `atUs` it had come as far as `storeMs`. */
interface Peak {
  readonly atUs: number;
  readonly storeMs: number;
}

export class StoreClock {
  #gainMs = 0;
  #driftPpm = 0;
  #driftSinceUs = 0;
  #readMs: number | undefined;
  #readAtUs = 0;
  readonly #peaks: Peak[] = [];

  /** The store's clock was read. */
  read(storeMs: number, atUs: number): void {
    this.#readMs = storeMs;
    this.#readAtUs = atUs;
  }

  step(stepMs: number, atUs: number): void {
    const nowMs = this.#estimateMs(atUs);
    if (stepMs > 0) this.#gainMs += stepMs;
    if (nowMs === undefined) return;
    if (stepMs < 0) this.#peaks.push({ atUs, storeMs: nowMs });
    this.read(nowMs + stepMs, atUs);
  }

  setDrift(ppm: number, atUs: number): void {
    const nowMs = this.#estimateMs(atUs);
    if (nowMs !== undefined) this.read(nowMs, atUs);
    this.#gainMs = this.gainMs(atUs);
    this.#driftPpm = ppm;
    this.#driftSinceUs = atUs;
  }

  /** Milliseconds by which the clock has run ahead of true time in all, losses not counted. */
  gainMs(atUs: number): number {
    if (this.#driftPpm <= 0) return this.#gainMs;
    return this.#gainMs + ((atUs - this.#driftSinceUs) * this.#driftPpm) / 1e9;
  }

  /** Whether the clock once stood at or past `storeMs` at some time since `sinceUs`. */
  hasStoodAt(storeMs: number, sinceUs: number): boolean {
    return this.#peaks.some((peak) => peak.atUs >= sinceUs && peak.storeMs >= storeMs);
  }

  /** The clock's reading now, at most two milliseconds too high; unknown before its first reading. */
  #estimateMs(atUs: number): number | undefined {
    if (this.#readMs === undefined) return undefined;
    const elapsedMs = ((atUs - this.#readAtUs) * (1 + this.#driftPpm / 1e6)) / 1000;
    return this.#readMs + Math.ceil(elapsedMs) + 1;
  }
}
