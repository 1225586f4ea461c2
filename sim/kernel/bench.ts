// How fast the kernel is, by itself: `npx tsx sim/kernel/bench.ts [name]`. It counts processor time,
// so that neighbours on the machine matter less, and gives the best of a few rounds. No test depends
// on the figures. Add `--cpu-prof` to node for a profile.

import './platform.ts';
import { Redis } from 'ioredis';
import { Network } from '../network/network.ts';
import { serveStub } from '../network/resp-stub.ts';
import { Task } from './event.ts';
import { EventHeap } from './heap.ts';
import { Kernel } from './kernel.ts';
import { simulate } from './simulate.ts';

/** Events that each schedule the next, with `pending` of them in the agenda at a time. */
function fillAgenda(kernel: Kernel, events: number, pending: number): void {
  let left = events;
  const next = (): void => {
    left -= 1;
    if (left > 0) kernel.schedule(1 + (left % 97), kernel.host, kernel.cause, next);
  };
  for (let index = 0; index < pending; index += 1) {
    kernel.schedule(index, kernel.world, kernel.cause, next);
  }
}

/** The heap alone, with the one event object. */
function runAgenda(events: number, pending: number): number {
  const { world, cause } = new Kernel({ seed: 1 });
  const heap = new EventHeap();
  for (let index = 0; index < pending; index += 1) {
    heap.push(index, index, new Task(world, cause, () => {}));
  }
  for (let index = 0; index < events; index += 1) {
    const event = heap.pop();
    if (event !== undefined) heap.push(heap.poppedUs + 1 + (index % 97), pending + index, event);
  }
  return events;
}

function runHeap(events: number, pending: number): number {
  const kernel = new Kernel({ seed: 1 });
  fillAgenda(kernel, events, pending);
  while (kernel.runNext(Number.MAX_SAFE_INTEGER) === 'ran');
  return events;
}

async function runDrained(events: number): Promise<number> {
  const kernel = new Kernel({ seed: 1 });
  await simulate(kernel, { untilUs: 1e12, drive: 'sync' }, () => fillAgenda(kernel, events, 64));
  return events;
}

/** EVALSHA round trips of the real client, 64 in flight. */
async function runClient(commands: number): Promise<number> {
  const kernel = new Kernel({ seed: 1 });
  const network = new Network(kernel, { latency: () => ({ minUs: 100, tailUs: 50 }) });
  const store = kernel.createHost('store');
  const app = kernel.createHost('app');
  await simulate(kernel, { untilUs: 1e12, drive: 'sync' }, () => {
    network.listen(store, 6379, (connection) => serveStub(connection, () => ':1\r\n'));
    app.spawn(() => {
      const redis = new Redis({ host: 'store', port: 6379 });
      let left = commands;
      const sha = 'a'.repeat(40);
      const ask = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await redis.evalsha(sha, 1, 'key', 60_000, 20, 1);
        }
      };
      for (let index = 0; index < 64; index += 1) void ask();
    });
  });
  return commands;
}

const benches: Record<string, () => Promise<number> | number> = {
  agenda: () => runAgenda(3_000_000, 64),
  heap: () => runHeap(3_000_000, 64),
  'heap-1000': () => runHeap(3_000_000, 1000),
  drain: () => runDrained(1_000_000),
  client: () => runClient(100_000),
};

async function measureRate(run: () => Promise<number> | number): Promise<number> {
  // Out of the module's top-level await, where promises could not be drained.
  await new Promise((resolve) => setImmediate(resolve));
  const before = process.cpuUsage();
  const done = await run();
  const { user, system } = process.cpuUsage(before);
  return (done * 1e6) / (user + system);
}

const ROUNDS = 5;
const wanted = process.argv[2];
for (const [name, run] of Object.entries(benches)) {
  if (wanted !== undefined && wanted !== name) continue;
  let best = 0;
  for (let round = 0; round < ROUNDS; round += 1) best = Math.max(best, await measureRate(run));
  process.stdout.write(`${name}: ${Math.round(best)} per second of processor time\n`);
}
