import { Redis } from 'ioredis';
import { Redis as Redis6 } from 'ioredis6';
import { describe, expect, it } from 'vitest';
import { Kernel } from '../kernel/kernel.ts';
import { simulate } from '../kernel/simulate.ts';
import { Network } from './network.ts';
import { bulk, serveStub } from './resp-stub.ts';

interface Counter {
  incr(key: string): Promise<number>;
  get(key: string): Promise<string | null>;
  quit(): Promise<unknown>;
}

const clients: { name: string; create: () => Counter }[] = [
  { name: 'ioredis 5', create: () => new Redis({ host: 'store', port: 6379 }) },
  { name: 'ioredis 6', create: () => new Redis6({ host: 'store', port: 6379 }) },
];

async function runCounter(create: () => Counter, seed: number) {
  const kernel = new Kernel({ seed });
  const network = new Network(kernel, { latency: () => ({ minUs: 200, tailUs: 100 }) });
  const store = kernel.createHost('store');
  const app = kernel.createHost('app');
  const replies: unknown[] = [];
  let count = 0;
  const ending = await simulate(kernel, { untilUs: 60_000_000, drive: 'sync' }, () => {
    network.listen(store, 6379, (connection) =>
      serveStub(connection, ([name]) => {
        if (name === 'incr') {
          count += 1;
          return `:${count}\r\n`;
        }
        return bulk(`${count}`);
      }),
    );
    app.spawn(async () => {
      const redis = create();
      for (let turn = 0; turn < 20; turn += 1) {
        replies.push(await redis.incr('counter'));
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
      replies.push(await redis.get('counter'));
      await redis.quit();
      replies.push(Date.now());
    });
  });
  return { ending, replies, digest: kernel.digest.hex(), leftovers: app.leftovers(), kernel };
}

describe.each(clients)('$name over the simulated network', ({ create }) => {
  it('counts in virtual time and leaves nothing behind', async () => {
    const startedMs = Date.now();
    const run = await runCounter(create, 1);
    expect(run.ending).toEqual({ kind: 'done' });
    expect(run.replies.slice(0, 21)).toEqual([
      ...Array.from({ length: 20 }, (_, i) => i + 1),
      '20',
    ]);
    expect(run.replies[21]).toBeGreaterThanOrEqual(Date.parse('2026-01-01T00:00:20Z'));
    expect(run.replies[21]).toBeLessThan(Date.parse('2026-01-01T00:00:21Z'));
    expect(run.leftovers).toEqual({ timers: 0, unrefTimers: 0, sockets: 0 });
    expect(Date.now() - startedMs).toBeLessThan(5000);
  });

  it('gives one digest for one seed and another one for another seed', async () => {
    const first = await runCounter(create, 1);
    const second = await runCounter(create, 1);
    const other = await runCounter(create, 2);
    expect(second.digest).toBe(first.digest);
    expect(other.digest).not.toBe(first.digest);
  });
});
