// What is done today to test a limiter in virtual time: fake timers around ioredis-mock. The same
// 10 000 checks over 60 virtual seconds as the simulator's, with the same production script, timed
// and with its answer beside the exact one.

import { createRequire } from 'node:module';

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
  script?: unknown;
  eval(text: string, keys: number, ...args: (string | number)[]): Promise<unknown>;
  disconnect(): void;
}

interface FakeClock {
  tickAsync(ms: number): Promise<number>;
  uninstall(): void;
}

/** Runs the case on ioredis-mock under fake timers; returns seconds and how many were allowed. */
export async function runFakeTimers(
  text: string,
  argumentsOf: (cost: number) => readonly string[],
): Promise<{ seconds: number; allowed: number }> {
  const require = createRequire(import.meta.url);
  const { install } = require('@sinonjs/fake-timers') as {
    install(options: { now: number }): FakeClock;
  };
  const Mock = require('ioredis-mock') as new () => MockRedis;
  const startedNs = process.hrtime.bigint();
  const clock = install({ now: 1_767_225_600_000 });
  let allowed = 0;
  try {
    const redis = new Mock();
    for (let index = 0; index < virtualMinute.checks; index += 1) {
      const reply = redis.eval(text, 1, 'weir:{bench}:bucket', ...argumentsOf(1));
      await clock.tickAsync(virtualMinute.everyMs);
      if (Number(([] as unknown[]).concat(await reply)[0]) === 1) allowed += 1;
    }
    redis.disconnect();
  } finally {
    clock.uninstall();
  }
  return { seconds: Number(process.hrtime.bigint() - startedNs) / 1e9, allowed };
}
