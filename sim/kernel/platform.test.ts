import crypto, { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import http from 'node:http';
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { Network } from '../network/network.ts';
import { registry } from './registry.ts';
import { runOnHost } from './run-on-host.test.fixture.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');

async function read<T>(body: () => T | Promise<T>, seed = 1): Promise<T> {
  const found: T[] = [];
  const run = await runOnHost(
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      found.push(await body());
    },
    { seed },
  );
  expect(run.failures).toEqual([]);
  const [value] = found;
  if (value === undefined) throw new Error('The body did not end.');
  return value;
}

describe('Date in a run', () => {
  it('reads the host clock by now, construction and call', async () => {
    const now = await read(() => [
      Date.now(),
      Date.parse(new Date().toISOString()),
      Date.parse(Date()),
    ]);
    expect(now).toEqual([START_MS + 1500, START_MS + 1500, START_MS + 1000]);
  });

  it('is Date in every other way', async () => {
    const given = new Date(5);
    class Moment extends Date {
      describe(): string {
        return `at ${this.getTime()}`;
      }
    }
    const facts = await read(() => [
      new Date(2020, 1, 2).getMonth() === 1,
      new Date(given).getTime() === 5,
      given instanceof Date && new Date() instanceof Date,
      new Date() instanceof registry.real.Date,
      new Moment().describe() === `at ${START_MS + 1500}`,
      new Moment() instanceof Moment,
      given.constructor === Date,
      Date.UTC(2026, 0, 1) === START_MS,
      Number.isNaN(Reflect.construct(Date, [undefined]).getTime()),
      Reflect.construct(Date, [null]).getTime() === 0,
      new Date('2026-01-01').getTime() === START_MS,
      new Date(2026, 0).getMonth() === 0,
      Date.length === 7 && Date.name === 'Date',
      structuredClone(new Date()).getTime() === START_MS + 1500,
    ]);
    expect(facts).toEqual(facts.map(() => true));
  });
});

describe('the other clocks in a run', () => {
  it('count the age of the process and of the machine', async () => {
    const facts = await read(() => ({
      now: performance.now(),
      global: globalThis.performance.now(),
      origin: performance.timeOrigin,
      mark: performance.mark('test').startTime,
      uptime: process.uptime(),
      difference: process.hrtime([1000, 500_000_000]),
      bigint: process.hrtime.bigint(),
    }));
    expect(facts).toEqual({
      now: 1500,
      global: 1500,
      origin: START_MS,
      mark: 1500,
      uptime: 1.5,
      difference: [1, 0],
      bigint: 1_001_500_000_000n,
    });
  });

  it('begin anew with a restarted process', async () => {
    let age = 0;
    await runOnHost(() => {}, {
      prepare: (kernel, host) =>
        kernel.schedule(5_000_000, kernel.world, kernel.cause, () =>
          host.restart(() =>
            setTimeout(() => {
              age = performance.now();
            }, 7),
          ),
        ),
    });
    expect(age).toBe(7);
  });
});

describe('randomness in a run', () => {
  const draw = () => ({
    math: Math.random(),
    bytes: crypto.randomBytes(9).toString('hex'),
    uuid: randomUUID(),
    webUuid: globalThis.crypto.randomUUID(),
    int: crypto.randomInt(1000),
    range: crypto.randomInt(50, 60),
    values: [...globalThis.crypto.getRandomValues(new Uint16Array(3))],
    module: [...crypto.getRandomValues(new Uint8Array(3))],
    filled: crypto.randomFillSync(Buffer.alloc(6), 2, 3).toString('hex'),
  });

  it('is the same for one seed and differs for another', async () => {
    const first = await read(draw, 1);
    expect(await read(draw, 1)).toEqual(first);
    const other = await read(draw, 2);
    for (const name of ['math', 'bytes', 'uuid', 'webUuid', 'values', 'filled'] as const) {
      expect(other[name]).not.toEqual(first[name]);
    }
  });

  it('has the form that is asked for', async () => {
    const drawn = await read(draw);
    expect(drawn.uuid).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(drawn.bytes).toHaveLength(18);
    expect(drawn.int).toBeLessThan(1000);
    expect(drawn.range).toBeGreaterThanOrEqual(50);
    expect(drawn.range).toBeLessThan(60);
    expect(drawn.filled).toMatch(/^0000[0-9a-f]{6}00$/);
  });

  it('answers callbacks in a later event', async () => {
    const lengths = await read(async () => {
      const bytes = await new Promise<Buffer>((resolve) =>
        crypto.randomBytes(4, (_error, drawn) => resolve(drawn)),
      );
      const filled = await new Promise<Buffer>((resolve) =>
        crypto.randomFill(Buffer.alloc(5), (_error, drawn) => resolve(drawn)),
      );
      const int = await new Promise<number>((resolve) =>
        crypto.randomInt(7, (_error, drawn) => resolve(drawn)),
      );
      return [bytes.length, filled.length, int < 7];
    });
    expect(lengths).toEqual([4, 5, true]);
  });

  it('is drawn for the cause on whose behalf code runs', async () => {
    const drawn: Record<string, number> = {};
    const drawFor = (ids: number[]) =>
      runOnHost((kernel, app) => {
        for (const id of ids) {
          kernel.schedule(id, app, kernel.createCause(id), () => {
            drawn[`${ids.length}/${id}`] = Math.random();
          });
        }
      });
    await drawFor([1, 2, 3]);
    await drawFor([1, 3]);
    expect(drawn['2/3']).toBe(drawn['3/3']);
    expect(drawn['3/1']).not.toBe(drawn['3/3']);
  });
});

describe('names in a run', () => {
  it('lead to simulated hosts', async () => {
    const found: unknown[] = [];
    await runOnHost(
      async () => {
        found.push(await dns.promises.lookup('store'));
        found.push(await dns.promises.lookup('nowhere').catch((error: unknown) => error));
        dns.lookup('store', { all: true }, (_error, addresses) => found.push(addresses));
        dns.lookup('store', (_error, address, family) => found.push([address, family]));
      },
      {
        prepare: (kernel) => {
          new Network(kernel, { latency: () => ({ minUs: 1, tailUs: 0 }) });
          kernel.createHost('store');
        },
      },
    );
    expect(found).toEqual([
      { address: '10.0.0.2', family: 4 },
      expect.objectContaining({ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND nowhere' }),
      [{ address: '10.0.0.2', family: 4 }],
      ['10.0.0.2', 4],
    ]);
  });
});

describe('outside of a run', () => {
  it('clocks, randomness and sockets are the real ones', async () => {
    const inside = read(() => 1);
    expect(Math.abs(Date.now() - registry.real.dateNow())).toBeLessThan(50);
    expect(new Date().getFullYear()).toBe(new registry.real.Date().getFullYear());
    expect(process.hrtime()[0]).toBe(registry.real.hrtime()[0]);
    expect(Math.random()).not.toBe(Math.random());
    expect(crypto.randomUUID()).not.toBe(crypto.randomUUID());
    await inside;
    const server = http.createServer((_request, response) => response.end('real'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const body = await new Promise<string>((resolve) =>
      http.get({ host: '127.0.0.1', port }, (response) =>
        response.on('data', (d) => resolve(String(d))),
      ),
    );
    expect(body).toBe('real');
    const socket = net.connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('neighbours that run at the same time never see virtual time', async () => {
    const seen: number[] = [];
    const watch = setInterval(() => seen.push(Date.now()), 1);
    for (let turn = 0; turn < 20; turn += 1) {
      await read(() => turn);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    clearInterval(watch);
    expect(seen.length).toBeGreaterThan(0);
    for (const at of seen) expect(Math.abs(at - registry.real.dateNow())).toBeLessThan(60_000);
  });

  it('wrappers keep the names and lengths of what they wrap', () => {
    expect([setTimeout.name, clearTimeout.name, setImmediate.name]).toEqual([
      'setTimeout',
      'clearTimeout',
      'setImmediate',
    ]);
    expect([net.connect.name, process.hrtime.name, Math.random.name]).toEqual([
      'connect',
      'hrtime',
      'random',
    ]);
  });
});
