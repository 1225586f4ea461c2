// A campaign: one run for each seed, several at a time, until the first failing seed, the last seed
// or the end of the time. Seeds are started in order and added up in order, and what lies beyond the
// lowest failing seed is thrown away, so the number of jobs never changes a result. How a seed is
// run is the pool's business (pool.ts).

import type { SeedFault, SeedRan, SeedResult } from './tally.ts';
import { type CampaignTally, Tally } from './tally.ts';

/** Runs seeds, as many at a time as it is asked for. */
export interface SeedPool {
  runSeed(seed: number): Promise<SeedResult>;
}

export interface CampaignOptions {
  readonly firstSeed: number;
  /** How many seeds; undefined: until the time is over. */
  readonly seeds: number | undefined;
  /** Real time after which no further seed is started; undefined: no limit. */
  readonly milliseconds: number | undefined;
  /** Seeds in flight at once, at least 1. */
  readonly jobs: number;
  readonly pool: SeedPool;
  /** Invariants and marks that are listed even when nothing was counted for them. */
  readonly invariants: readonly string[];
  readonly marks: readonly string[];
  /** Real milliseconds of a monotonic clock; the only clock a campaign reads. */
  readonly now: () => number;
  /** Aborted: no further seed is started, those in flight are waited for and counted. */
  readonly signal?: AbortSignal;
  readonly onSeed?: (done: number, failed: boolean) => void;
}

export interface CampaignResult {
  readonly ended: 'all-seeds' | 'failed' | 'time' | 'interrupted';
  readonly tally: CampaignTally;
  readonly wallSeconds: number;
  /** The lowest seed that broke an invariant, if that is what ended the campaign. */
  readonly failure: SeedRan | undefined;
  /** The lowest seed whose run itself went wrong, if that is what ended the campaign. */
  readonly fault: SeedFault | undefined;
}

/** Runs a campaign to its end. Rejects only when the pool does. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const started = options.now();
  const progress = new Progress(options);
  await Promise.all(Array.from({ length: options.jobs }, () => work(options, progress, started)));
  const stoppedBy = progress.stoppedBy;
  return {
    ended: progress.ended(),
    tally: progress.tally.sum(),
    wallSeconds: (options.now() - started) / 1000,
    failure: stoppedBy?.kind === 'ran' ? stoppedBy : undefined,
    fault: stoppedBy?.kind === 'fault' ? stoppedBy : undefined,
  };
}

/** One job: takes the next seed until there is none it should start. */
async function work(options: CampaignOptions, progress: Progress, started: number): Promise<void> {
  for (;;) {
    const isLate =
      options.milliseconds !== undefined && options.now() - started >= options.milliseconds;
    const seed = progress.take(isLate, options.signal?.aborted === true);
    if (seed === undefined) return;
    progress.settle(await options.pool.runSeed(seed));
  }
}

/** Which seeds were started, which are done, and the sum of the unbroken row of done ones. */
class Progress {
  readonly tally: Tally;
  readonly #options: CampaignOptions;
  readonly #waiting = new Map<number, SeedResult>();
  readonly #end: number;
  #next: number;
  #nextToAdd: number;
  #lowestFailing = Number.POSITIVE_INFINITY;
  #done = 0;
  #cut: 'time' | 'interrupted' | undefined;
  #stoppedBy: SeedResult | undefined;

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.tally = new Tally(options.invariants, options.marks);
    this.#next = options.firstSeed;
    this.#nextToAdd = options.firstSeed;
    this.#end = options.firstSeed + (options.seeds ?? Number.POSITIVE_INFINITY);
  }

  get stoppedBy(): SeedResult | undefined {
    return this.#stoppedBy;
  }

  /** The seed to run now, or nothing when no further one should be started. */
  take(isLate: boolean, isInterrupted: boolean): number | undefined {
    if (this.#next >= this.#end || this.#next > this.#lowestFailing) return undefined;
    if (isInterrupted || isLate) {
      this.#cut ??= isInterrupted ? 'interrupted' : 'time';
      return undefined;
    }
    this.#next += 1;
    return this.#next - 1;
  }

  settle(result: SeedResult): void {
    this.#waiting.set(result.seed, result);
    if (isFailing(result)) this.#lowestFailing = Math.min(this.#lowestFailing, result.seed);
    this.#addRow();
    this.#done += 1;
    this.#options.onSeed?.(this.#done, this.#lowestFailing < Number.POSITIVE_INFINITY);
  }

  ended(): CampaignResult['ended'] {
    if (this.#stoppedBy !== undefined) return 'failed';
    return this.#cut ?? 'all-seeds';
  }

  /** Adds results as far as they follow each other without a gap, up to the first failing one. */
  #addRow(): void {
    while (this.#stoppedBy === undefined) {
      const result = this.#waiting.get(this.#nextToAdd);
      if (result === undefined) return;
      this.#waiting.delete(this.#nextToAdd);
      this.#nextToAdd += 1;
      if (result.kind === 'ran') this.tally.add(result);
      if (isFailing(result)) this.#stoppedBy = result;
    }
  }
}

function isFailing(result: SeedResult): boolean {
  return result.kind === 'fault' || result.violations.length > 0;
}
