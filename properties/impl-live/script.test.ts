// The production script on a real server. Its one TIME call is replaced by two arguments, so that
// the store's clock is the test's; the script is otherwise the one that ships.

import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_BUCKET_SCRIPT } from '../../impl/index.ts';
import { type BucketState, createBucketParameters, decideTokenBucket } from '../../model/index.ts';
import { isRedisInstalled, type RealRedis, startRealRedis } from '../conformance/real-redis.ts';
import { decodeState, encodeState } from '../state-codec.ts';

const START_MS = 1_767_225_600_000;
const TIME = "redis.call('TIME')";
const atGivenTime = TOKEN_BUCKET_SCRIPT.text.replace(TIME, '{ ARGV[6], ARGV[7] }');

interface Policy {
  readonly revision: number;
  readonly num: number;
  readonly den: number;
  readonly capacity: number;
}

/** 100/min: 5000/3 microtokens a millisecond. */
const perMinute: Policy = { revision: 1, num: 5000, den: 3, capacity: 20 };

describe.skipIf(!isRedisInstalled())('the token bucket script on a real Redis', () => {
  let server: RealRedis;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRealRedis();
    redis = new Redis({ port: server.port });
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    await redis.flushall();
  });

  const argumentsOf = (policy: Policy, cost: number, nowMs: number) => [
    ...[cost, policy.revision, policy.num, policy.den, policy.capacity].map(String),
    ...[String(Math.floor(nowMs / 1000)), String((nowMs % 1000) * 1000 + 999)],
  ];
  const run = (policy: Policy, cost: number, afterMs: number, key = 'k') =>
    redis.eval(atGivenTime, 1, key, ...argumentsOf(policy, cost, START_MS + afterMs));
  const read = async (key = 'k') => {
    const bytes = await redis.getBuffer(key);
    return bytes === null ? undefined : decodeState(bytes.toString('latin1'));
  };

  it('calls TIME in exactly one place, for tests to replace', () => {
    expect(TOKEN_BUCKET_SCRIPT.text.split(TIME)).toHaveLength(2);
  });

  it('answers a sequence as computed by hand', async () => {
    // 20 tokens, one in 600 ms. Reply: status, remaining, retry after, reset, capacity, flags.
    const steps: [afterMs: number, cost: number, reply: number[]][] = [
      [0, 0, [1, 20, 0, 0, 20, 0]],
      [0, 1, [1, 19, 0, 600, 20, 0]],
      [0, 19, [1, 0, 0, 12_000, 20, 0]],
      [0, 1, [0, 0, 600, 12_000, 20, 0]],
      [1, 1, [0, 0, 599, 11_999, 20, 0]],
      [599, 1, [0, 0, 1, 11_401, 20, 0]],
      [600, 1, [1, 0, 0, 12_000, 20, 0]],
      [600, 21, [2, 0, -1, 12_000, 20, 0]],
      [600, 20, [0, 0, 12_000, 12_000, 20, 0]],
      [1200, 0, [1, 1, 0, 11_400, 20, 0]],
      [1799, 2, [0, 1, 1, 10_801, 20, 0]],
      [1800, 2, [1, 0, 0, 12_000, 20, 0]],
      [13_799, 20, [0, 19, 1, 1, 20, 0]],
      [13_800, 20, [1, 0, 0, 12_000, 20, 0]],
    ];
    for (const [afterMs, cost, reply] of steps) {
      expect(await run(perMinute, cost, afterMs), `cost ${cost} at ${afterMs}`).toEqual(reply);
    }
  });

  it('keeps the remainder, so that polling neither starves a bucket nor mints', async () => {
    await run(perMinute, 20, 0);
    for (let ms = 1; ms < 600; ms += 1) {
      expect(await run(perMinute, 1, ms)).toEqual([0, 0, 600 - ms, 12_000 - ms, 20, 0]);
    }
    // Paid at odd moments: the state is written each time, with what the division left over.
    const spent = [601, 1202, 1803, 2404, 3005];
    for (const [index, ms] of spent.entries()) {
      expect(await statusOf(run(perMinute, 1, ms))).toBe(1);
      const exact = BigInt(ms * 5000 - (index + 1) * 3_000_000);
      expect(await read()).toMatchObject({
        level: Number(exact / 3n),
        remainder: Number(exact % 3n),
        lastMs: START_MS + ms,
      });
    }
  });

  it('lays its state out as documented, in 17 bytes', async () => {
    await run(perMinute, 1, 0);
    const level = 19_000_000;
    const state = { ...perMinute, level, remainder: 0, lastMs: START_MS };
    expect(await read()).toEqual(state);
    expect(await redis.getBuffer('k')).toEqual(Buffer.from(encodeState(state), 'latin1'));
    expect(await redis.strlen('k')).toBe(17);
  });

  it('changes nothing on a refusal or a peek', async () => {
    await run(perMinute, 20, 0);
    const before = await redis.getBuffer('k');
    const life = await redis.pexpiretime('k');
    await run(perMinute, 1, 10);
    await run(perMinute, 21, 10);
    await run(perMinute, 0, 10);
    await run(perMinute, 1, -5);
    expect(await redis.getBuffer('k')).toEqual(before);
    expect(await redis.pexpiretime('k')).toBe(life);
  });

  it('writes no key for a peek, nor for a cost no bucket can pay', async () => {
    await run(perMinute, 0, 0);
    await run(perMinute, 21, 0);
    await run(perMinute, Number.MAX_SAFE_INTEGER, 0);
    expect(await redis.dbsize()).toBe(0);
  });

  it('gives each key the life until its bucket is full', async () => {
    await run(perMinute, 1, 0);
    expect(await lifeOf('k')).toBe(600);
    await run(perMinute, 19, 0);
    expect(await lifeOf('k')).toBe(12_000);
    // Two tokens come back meanwhile; then the store's clock is set back by five seconds.
    await run(perMinute, 1, 1200);
    await run(perMinute, 1, -3800);
    expect(await lifeOf('k')).toBe(12_000 + 5000);
  });

  // PEXPIRETIME minus the server's clock; a millisecond may pass between the two.
  const lifeOf = async (key: string) => {
    const left = await redis.pttl(key);
    return Math.ceil(left / 100) * 100;
  };

  it('lets time stand still while the store is behind, and says so', async () => {
    await run(perMinute, 19, 10_000);
    expect(await run(perMinute, 1, 4000)).toEqual([1, 0, 0, 18_000, 20, 1]);
    expect(await run(perMinute, 1, 4000)).toEqual([0, 0, 6600, 18_000, 20, 1]);
    expect(await run(perMinute, 1, 10_599)).toEqual([0, 0, 1, 11_401, 20, 0]);
    expect(await run(perMinute, 1, 10_600)).toEqual([1, 0, 0, 12_000, 20, 0]);
  });

  it('goes on from now when it is from further ahead than the time to full', async () => {
    const far = 40_000_000_000;
    await run(perMinute, 20, far + 12_000);
    // Exactly the time to full ahead: it only stands still.
    expect(await run(perMinute, 1, far)).toEqual([0, 0, 12_600, 24_000, 20, 1]);
    expect(await read()).toMatchObject({ lastMs: START_MS + far + 12_000 });
    // One more millisecond: re-anchored, level kept, and written although refused.
    expect(await run(perMinute, 1, far - 1)).toEqual([0, 0, 600, 12_000, 20, 2]);
    expect(await read()).toMatchObject({ lastMs: START_MS + far - 1, level: 0 });
    expect(await run(perMinute, 1, far + 599)).toEqual([1, 0, 0, 12_000, 20, 0]);
  });

  it('does not re-anchor on a peek', async () => {
    await run(perMinute, 20, 100_000);
    expect(await run(perMinute, 0, 0)).toEqual([1, 0, 0, 12_000, 20, 2]);
    expect(await read()).toMatchObject({ lastMs: START_MS + 100_000 });
  });

  describe('with a newer revision', () => {
    it('adds the difference of a raised capacity, and keeps what was used used', async () => {
      await run(perMinute, 15, 0);
      const raised = { ...perMinute, revision: 2, capacity: 50 };
      expect(await run(raised, 1, 0)).toEqual([1, 34, 0, 9600, 50, 4]);
      expect(await read()).toMatchObject({ revision: 2, capacity: 50, level: 34_000_000 });
    });

    it('takes the difference of a lowered one, but never below zero', async () => {
      await run(perMinute, 15, 0);
      const lowered = { ...perMinute, revision: 2, capacity: 10 };
      expect(await run(lowered, 1, 0)).toEqual([0, 0, 600, 6000, 10, 4]);
      // Written although refused: the wait it promised is kept.
      expect(await read()).toMatchObject({ revision: 2, capacity: 10, level: 0 });
      expect(await statusOf(run(lowered, 1, 599))).toBe(0);
      expect(await statusOf(run(lowered, 1, 600))).toBe(1);
    });

    it('rules over callers that are older', async () => {
      const newer = { ...perMinute, revision: 2, capacity: 5 };
      await run(newer, 5, 0);
      expect(await run(perMinute, 6, 0)).toEqual([2, 0, -1, 3000, 5, 8]);
      expect(await run(perMinute, 1, 600)).toEqual([1, 0, 0, 3000, 5, 8]);
      expect(await read()).toMatchObject({ revision: 2, capacity: 5 });
    });

    it('settles the past under the old rate', async () => {
      await run(perMinute, 20, 0);
      const faster = { ...perMinute, revision: 2, num: 50_000, den: 3 };
      expect(await run(faster, 3, 1200)).toEqual([0, 2, 60, 1080, 20, 4]);
    });
  });

  it('reports other parameters under the same revision, and keeps the stored ones', async () => {
    await run(perMinute, 1, 0);
    expect(await run({ ...perMinute, capacity: 500 }, 1, 0)).toEqual([1, 18, 0, 1200, 20, 16]);
    expect(await run({ ...perMinute, num: 1, den: 1 }, 1, 0)).toEqual([1, 17, 0, 1800, 20, 16]);
  });

  describe('on a key with foreign contents', () => {
    const foreign: [string, () => Promise<unknown>][] = [
      ['text', () => redis.set('k', 'hello')],
      ['nothing', () => redis.set('k', '')],
      ['a newer format', () => redis.set('k', Buffer.from([2, 1, 1, 1, 1, 1, 0, 1]))],
      ['a cut state', () => redis.set('k', Buffer.from([1, 1, 1, 1, 1, 1, 0x80]))],
      ['too many integers', () => redis.set('k', Buffer.from([1, 1, 1, 1, 1, 1, 0, 1, 1]))],
      ['a level above capacity', () => redis.set('k', Buffer.from([1, 1, 1, 1, 0, 1, 0, 1]))],
      ['a remainder of den', () => redis.set('k', Buffer.from([1, 1, 1, 1, 1, 1, 1, 1]))],
      ['a denominator of 0', () => redis.set('k', Buffer.from([1, 1, 1, 0, 1, 1, 0, 1]))],
      ['a rate of 0', () => redis.set('k', Buffer.from([1, 1, 0, 1, 1, 1, 0, 1]))],
      ['a long tail', () => redis.set('k', Buffer.alloc(100_000, 0xff).fill(1, 0, 1))],
      ['a hash', () => redis.hset('k', 'a', 1)],
    ];
    it.each(foreign)('refuses %s with a reason, and gives it a life', async (_, write) => {
      await write();
      await expect(run(perMinute, 1, 0)).rejects.toThrow(/^WEIRSTATE /);
      expect(await lifeOf('k')).toBe(12_000);
    });

    it('leaves a life that is there', async () => {
      await redis.set('k', 'hello', 'PX', 3000);
      await expect(run(perMinute, 1, 0)).rejects.toThrow('WEIRSTATE');
      expect(await redis.pttl('k')).toBeLessThanOrEqual(3000);
    });
  });

  it('works at the far ends of rates and capacities', async () => {
    const slow = { revision: 1, num: 1, den: 2592, capacity: 1 };
    expect(await run(slow, 1, 0, 's')).toEqual([1, 0, 0, 2_592_000_000, 1, 0]);
    expect(await run(slow, 1, 2_591_999_999, 's')).toEqual([0, 0, 1, 1, 1, 0]);
    expect(await run(slow, 1, 2_592_000_000, 's')).toEqual([1, 0, 0, 2_592_000_000, 1, 0]);

    const fast = { revision: 1, num: 1_000_000_000, den: 1, capacity: 1_000_000 };
    expect(await run(fast, 1_000_000, 0, 'f')).toEqual([1, 0, 0, 1000, 1_000_000, 0]);
    expect(await run(fast, 1001, 1, 'f')).toEqual([0, 1000, 1, 999, 1_000_000, 0]);
    expect(await run(fast, 1000, 1, 'f')).toEqual([1, 0, 0, 1000, 1_000_000, 0]);

    const num = 189_812_529;
    const den = 47_453_130;
    const capacity = 9_007_199_254;
    const huge = { revision: 2 ** 53 - 1, num, den, capacity };
    const micros = BigInt(capacity) * 1_000_000n;
    const fill = Number((micros * BigInt(den) + BigInt(num) - 1n) / BigInt(num));
    expect(await run(huge, capacity, 0, 'h')).toEqual([1, 0, 0, fill, capacity, 0]);
    expect(await run(huge, capacity, fill - 1, 'h')).toEqual([0, capacity - 1, 1, 1, capacity, 0]);
    expect(await run(huge, capacity, fill, 'h')).toEqual([1, 0, 0, fill, capacity, 0]);
  });

  it('agrees with the exact model on thousands of decisions, replies and states', async () => {
    // Keys must outlive the test, whatever their virtual life is; lives have a test of their own.
    const text = atGivenTime.replace('local life = reset', 'local life = reset + 100000000');
    expect(text).not.toBe(atGivenTime);
    const random = createRandom(42);
    for (let key = 0; key < 60; key += 1) {
      await compareWithModel(text, `m${key}`, random);
    }
  });

  async function compareWithModel(text: string, key: string, random: (below: number) => number) {
    const policies = Array.from({ length: 3 }, (_, index) => drawPolicy(random, index + 1));
    let nowMs = START_MS;
    let stored: BucketState | undefined;
    const pipeline = redis.pipeline();
    const expected: { reply: unknown[]; stored: BucketState | undefined; step: string }[] = [];
    for (let step = 0; step < 150; step += 1) {
      const policy = policies[Math.min(2, random(3 + Math.floor(step / 40)))] ?? policies[0];
      if (policy === undefined) throw new Error('Expected a policy.');
      const { fullMs, capacity } = policy.parameters;
      const tokenMs = Math.ceil(fullMs / capacity);
      nowMs += [0, 1, tokenMs, -random(50), random(3 * tokenMs), random(fullMs)][random(6)] ?? 0;
      if (random(60) === 0) nowMs += (random(2) - 0.5) * 2 * (fullMs + random(3) - 1);
      nowMs = Math.max(nowMs, 0);
      const cost = [0, 1, 1, 1, random(capacity + 2), capacity][random(6)] ?? 1;
      const decision = decideTokenBucket(stored, { ...policy, cost, nowMs });
      stored = decision.state;
      const args = argumentsOf(policy.given, cost, nowMs);
      pipeline.eval(text, 1, key, ...args).getBuffer(key);
      const status = decision.allowed ? 1 : decision.reason === 'rate-limited' ? 0 : 2;
      const retry = status === 2 ? -1 : (decision.retryAfterMs ?? 0);
      expected.push({
        reply: [status, decision.remaining, retry, decision.resetMs],
        stored,
        step: `step ${step} of ${key}: ${args.join(' ')}`,
      });
    }
    const results = (await pipeline.exec()) ?? [];
    for (const [index, { reply, stored: state, step }] of expected.entries()) {
      const [, actual] = results[2 * index] ?? [];
      const [, bytes] = results[2 * index + 1] ?? [];
      expect(Array.isArray(actual) ? actual.slice(0, 4) : actual, step).toEqual(reply);
      expect(
        Buffer.isBuffer(bytes) ? decodeState(bytes.toString('latin1')) : undefined,
        step,
      ).toEqual(
        state && {
          revision: state.revision,
          num: Number(state.parameters.num),
          den: Number(state.parameters.den),
          capacity: state.parameters.capacity,
          level: Number(BigInt(state.units) / BigInt(state.parameters.den)),
          remainder: Number(BigInt(state.units) % BigInt(state.parameters.den)),
          lastMs: state.lastMs,
        },
      );
    }
  }
});

async function statusOf(reply: Promise<unknown>): Promise<unknown> {
  const numbers = await reply;
  return Array.isArray(numbers) ? numbers[0] : numbers;
}

function drawPolicy(random: (below: number) => number, revision: number) {
  // A period in units of 10^6 ms makes num = tokens and den = period: products close to 2^53.
  const isAtTheEdge = random(4) === 0;
  const periodMs = isAtTheEdge
    ? (90_000_000 + random(4_000_000)) * 1_000_000
    : ([1, 7, 1000, 60_000, 86_400_000, 30 * 86_400_000][random(6)] ?? 1000);
  const tokens = isAtTheEdge
    ? 90_000_000 + random(4_000_000)
    : 1 + random([1, 10, 1000, 1_000_000][random(4)] ?? 1);
  const capacity = 1 + random([1, 20, 1000, 100_000][random(4)] ?? 1);
  const parameters = createBucketParameters({ tokens, periodMs, capacity });
  const given = {
    revision,
    num: Number(parameters.num),
    den: Number(parameters.den),
    capacity,
  };
  return { revision, parameters, given };
}

/** A small linear congruential generator: the same sequence on every machine. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}
