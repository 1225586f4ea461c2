import { describe, expect, it } from 'vitest';
import { type CampaignOptions, runCampaign, type SeedPool } from './campaign.ts';
import { missedMarks, type SeedRan, type SeedResult } from './tally.ts';

function ran(seed: number, changes: Partial<SeedRan> = {}): SeedRan {
  return {
    kind: 'ran',
    seed,
    ending: 'done',
    violations: [],
    evaluations: { conservation: seed },
    reached: { empty: 1 },
    required: ['empty'],
    overshoot: { 'orders-read': 1 / seed },
    verdictDigest: `d${seed}`,
    events: 10,
    decisions: 2,
    simulatedSeconds: 60,
    ...changes,
  };
}

const broken = { invariant: 'conservation', atUs: 5, message: 'One token too many.' };

/** Answers out of order: each seed takes the longer the lower it is within its group of jobs. */
function createShuffledPool(result: (seed: number) => SeedResult): SeedPool & { seeds: number[] } {
  const seeds: number[] = [];
  return {
    seeds,
    async runSeed(seed) {
      seeds.push(seed);
      for (let turn = 0; turn < (seed * 7) % 11; turn += 1) await Promise.resolve();
      return result(seed);
    },
  };
}

function run(changes: Partial<CampaignOptions> & { pool: SeedPool }) {
  return runCampaign({
    firstSeed: 1,
    seeds: 30,
    milliseconds: undefined,
    jobs: 1,
    invariants: ['conservation', 'admission-bound'],
    marks: ['empty', 'reply-lost'],
    now: () => 0,
    ...changes,
  });
}

describe('a campaign', () => {
  it('gives the same result with any number of jobs', async () => {
    const results = await Promise.all(
      [1, 2, 3, 7].map((jobs) => run({ jobs, pool: createShuffledPool((seed) => ran(seed)) })),
    );
    for (const result of results) expect(result).toEqual(results[0]);
    expect(results[0]?.tally).toMatchObject({ seeds: 30, events: 300, simulatedSeconds: 1800 });
  });

  it('reports the lowest failing seed and counts nothing beyond it, with any number of jobs', async () => {
    const fails = (seed: number) =>
      seed === 9 || seed === 11 || seed === 12 ? ran(seed, { violations: [broken] }) : ran(seed);
    const results = await Promise.all(
      [1, 2, 5, 12].map((jobs) => run({ jobs, pool: createShuffledPool(fails) })),
    );
    for (const result of results) {
      expect(result.failure?.seed).toBe(9);
      expect(result.ended).toBe('failed');
      expect(result.tally).toEqual(results[0]?.tally);
      expect(result.tally.seeds).toBe(9);
    }
  });

  it('starts no seed after a failing one is known', async () => {
    const pool = createShuffledPool((seed) =>
      ran(seed, seed === 3 ? { violations: [broken] } : {}),
    );
    await run({ pool });
    expect(pool.seeds).toEqual([1, 2, 3]);
  });

  it('stops at a seed whose run itself went wrong, unless a lower one broke an invariant', async () => {
    const fault = { kind: 'fault', seed: 4, code: 'escape', message: 'm', stack: 's' } as const;
    const onlyFault = await run({
      jobs: 4,
      pool: createShuffledPool((seed) => (seed === 4 ? fault : ran(seed))),
    });
    expect(onlyFault.fault).toEqual(fault);
    expect(onlyFault.failure).toBeUndefined();
    const both = await run({
      jobs: 4,
      pool: createShuffledPool((seed) => {
        if (seed === 4) return fault;
        return ran(seed, seed === 2 ? { violations: [broken] } : {});
      }),
    });
    expect(both.fault).toBeUndefined();
    expect(both.failure?.seed).toBe(2);
  });

  it('starts no seed after its time is over and counts those it ran', async () => {
    let now = 0;
    const pool = createShuffledPool((seed) => {
      now += 1000;
      return ran(seed);
    });
    const result = await run({ pool, seeds: undefined, milliseconds: 5000, now: () => now });
    expect(result.ended).toBe('time');
    expect(result.tally.seeds).toBe(5);
  });

  it('keeps what it found when it is interrupted', async () => {
    const abort = new AbortController();
    const pool = createShuffledPool((seed) => {
      if (seed === 6) abort.abort();
      return ran(seed);
    });
    const result = await run({ pool, jobs: 2, signal: abort.signal });
    expect(result.ended).toBe('interrupted');
    expect(result.tally.seeds).toBeGreaterThanOrEqual(6);
    expect(result.tally.seeds).toBeLessThan(10);
  });

  it('lists invariants and marks for which nothing was counted', async () => {
    const { tally } = await run({ pool: createShuffledPool((seed) => ran(seed)), seeds: 2 });
    expect(tally.invariants).toEqual([
      { name: 'conservation', evaluations: 3 },
      { name: 'admission-bound', evaluations: 0 },
    ]);
    expect(tally.worstOvershoot).toEqual([{ policy: 'orders-read', ratio: 1 }]);
  });

  it('misses a mark only when a scenario requires it and no run reached it', async () => {
    const lacking = await run({
      pool: createShuffledPool((seed) => ran(seed, seed === 5 ? { required: ['reply-lost'] } : {})),
    });
    expect(missedMarks(lacking.tally)).toEqual(['reply-lost']);
    const free = await run({ pool: createShuffledPool((seed) => ran(seed)) });
    expect(missedMarks(free.tally)).toEqual([]);
  });
});
