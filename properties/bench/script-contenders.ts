// The production script by itself, the same text and the same calls on three stores: compiled on the
// simulated Redis, on ioredis-mock, and on a real Redis through ioredis with 64 calls in flight.

import { createRequire } from 'node:module';
import { Redis } from 'ioredis';
import { TOKEN_BUCKET_SCRIPT } from '../../impl/store/script.ts';
import { Store } from '../../sim/redis/store.ts';
import type { Contender } from './rounds.ts';
import { timeOperations } from './rounds.ts';

const { sha, text } = TOKEN_BUCKET_SCRIPT;
const buckets = 1000;
const inFlight = 64;

/** KEYS[1], cost, revision, num, den, capacity: 100 per minute with a burst of 20. */
function argumentsOf(index: number): [string, string, string, string, string, string] {
  return [`weir:{tenant}:orders:00000000:${index % buckets}`, '1', '1', '5000', '3', '20'];
}

export const compiledScript: Contender = {
  name: 'compiled, simulated Redis',
  run: () => {
    const store = new Store({ clockUs: () => Date.now() * 1000 });
    const session = store.createSession();
    store.execute(session, ['SCRIPT', 'LOAD', text]);
    const calls = 200_000;
    return timeOperations(calls, () => {
      for (let index = 0; index < calls; index += 1) {
        store.execute(session, ['EVALSHA', sha, '1', ...argumentsOf(index)]);
      }
    });
  },
};

interface ScriptClient {
  eval(script: string, keys: number, ...rest: string[]): Promise<unknown>;
}

export const mockScript: Contender = {
  name: 'ioredis-mock',
  run: async () => {
    const Mock = createRequire(import.meta.url)('ioredis-mock') as new () => ScriptClient & {
      flushall(): Promise<unknown>;
      disconnect(): void;
    };
    const mock = new Mock();
    const calls = 2_000;
    const perSecond = await timeOperations(calls, () => callInFlight(mock, calls));
    // Its instances share their data.
    await mock.flushall();
    mock.disconnect();
    return perSecond;
  },
};

/** A real Redis on this port of this machine. */
export function createRealScript(port: number): Contender & { readonly close: () => void } {
  const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true });
  const client: ScriptClient = { eval: (_, keys, ...rest) => redis.evalsha(sha, keys, ...rest) };
  return {
    name: 'real Redis, 64 in flight',
    run: async () => {
      await redis.script('LOAD', text);
      const calls = 60_000;
      return timeOperations(calls, () => callInFlight(client, calls));
    },
    close: () => redis.disconnect(),
  };
}

async function callInFlight(client: ScriptClient, calls: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < calls) {
      const index = next;
      next += 1;
      await client.eval(text, 1, ...argumentsOf(index));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
}

/** For the fake-timers case: 100 tokens, refilled at 10 per second. */
export const virtualMinuteArguments = ['1', '1', '10000', '1', '100'] as const;
export { text as tokenBucketText };
