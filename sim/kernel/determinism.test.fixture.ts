// A run with the real client, clocks, randomness and faults, for the tests that compare digests
// between processes, threads and drives. Run as a program it prints the digests of a seed under
// both drives.

import './platform.ts';
import { Redis } from 'ioredis';
import { Network } from '../network/network.ts';
import { serveStub } from '../network/resp-stub.ts';
import { Kernel } from './kernel.ts';
import { type Drive, simulate } from './simulate.ts';

export async function computeDigest(seed: number, drive: Drive): Promise<string> {
  const kernel = new Kernel({ seed });
  const network = new Network(kernel, { latency: () => ({ minUs: 100, tailUs: 400 }) });
  const store = kernel.createHost('store');
  const apps = [1, 2].map((index) =>
    kernel.createHost(`app-${index}`, { offsetMs: index * 1000, driftPpm: index * 50 }),
  );
  let count = 0;
  const serve = (): void =>
    network.listen(store, 6379, (connection) =>
      serveStub(connection, () => {
        count += 1;
        return `:${count}\r\n`;
      }),
    );
  await simulate(kernel, { untilUs: 20_000_000, drive }, () => {
    store.spawn(serve);
    for (const app of apps) app.spawn(() => void ask());
    const at = (ms: number, run: () => void): void =>
      void kernel.schedule(ms * 1000, kernel.world, kernel.cause, run);
    const [first = store, second = store] = apps;
    at(2000, () => network.resetConnections(first, store));
    at(4000, () => store.crash());
    at(5000, () => store.restart(serve));
    at(6000, () => {
      const heal = network.partition(first, store, 'both');
      at(1500, heal);
    });
    at(9000, () => second.pause(700_000));
    at(11_000, () => network.fragment(first, store, 7));
  });
  kernel.digest.add(count);
  return kernel.digest.hex();

  async function ask(): Promise<void> {
    const redis = new Redis({ host: 'store', port: 6379, maxRetriesPerRequest: null });
    redis.on('error', () => {});
    for (;;) {
      const value = await redis.incr(`key-${Math.random()}`).catch(() => 0);
      kernel.digest.add(value, Date.now());
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
  }
}

if (process.argv[1]?.endsWith('determinism.test.fixture.ts') === true) {
  const seed = Number(process.argv[2]);
  const digests = [await computeDigest(seed, 'sync'), await computeDigest(seed, 'turns')];
  process.stdout.write(digests.join(' '));
}
