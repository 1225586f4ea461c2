// What is done today to test a limiter in virtual time: fake timers around ioredis-mock. The same
// 10 000 checks over 60 virtual seconds as the simulator's, with the same production script, timed
// and with its answer beside the exact one.

import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { median } from './rounds.ts';

/** 10 000 checks, one every 6 ms, of one bucket: 100 tokens, refilled at 10 per second. */
export const virtualMinute = {
  checks: 10_000,
  everyMs: 6,
  capacity: 100,
  tokensPerSecond: 10,
} as const;

/** A fixed window would say 700; the exact bucket has the last check at 59.994 s: 100 + 599. */
export const exactAnswer = 699;

interface MockRedis {
  eval(text: string, keys: number, ...args: (string | number)[]): Promise<unknown>;
  flushall(): Promise<unknown>;
  disconnect(): void;
}

interface FakeClock {
  tickAsync(ms: number): Promise<number>;
  uninstall(): void;
}

/** Runs the case on ioredis-mock under fake timers: median seconds, and how many were allowed. */
export async function runFakeTimers(
  text: string,
  args: readonly string[],
  rounds: number,
): Promise<{ seconds: number; allowed: number }> {
  const seconds: number[] = [];
  let allowed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now();
    allowed = await runOnce(text, args);
    seconds.push((performance.now() - startedMs) / 1000);
  }
  return { seconds: median(seconds), allowed };
}

async function runOnce(text: string, args: readonly string[]): Promise<number> {
  const require = createRequire(import.meta.url);
  const { install } = require('@sinonjs/fake-timers') as {
    install(options: { now: number; toNotFake: string[] }): FakeClock;
  };
  const Mock = require('ioredis-mock') as new () => MockRedis;
  // As test runners do it: all is faked but what promises need.
  const clock = install({ now: 1_767_225_600_000, toNotFake: ['nextTick', 'queueMicrotask'] });
  let allowed = 0;
  try {
    const redis = new Mock();
    for (let index = 0; index < virtualMinute.checks; index += 1) {
      const reply = redis.eval(text, 1, 'weir:{bench}:bucket', ...args);
      await clock.tickAsync(virtualMinute.everyMs);
      if (Number(([] as unknown[]).concat(await reply)[0]) === 1) allowed += 1;
    }
    await redis.flushall();
    redis.disconnect();
  } finally {
    clock.uninstall();
  }
  return allowed;
}
