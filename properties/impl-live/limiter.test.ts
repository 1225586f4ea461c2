// The limiter on a real server, under both versions of the client: what a stand-in cannot show.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { Cluster as Cluster6, Redis as Redis6 } from 'ioredis6';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLimiter, type Limiter, type RedisClient } from '../../impl/index.ts';
import { isRedisInstalled, type RealRedis, startRealRedis } from '../conformance/real-redis.ts';
import { startSilentServer } from './silent-server.ts';

/** Where the store answers: long, so that a busy machine changes no result. */
const DEADLINE_MS = 2000;
/** Where it does not. */
const SHORT_DEADLINE_MS = 200;
/** A busy machine may run a timer late by so much. */
const LATE_MS = 600;

const policies = {
  limits: [
    { id: 'read', match: { method: 'GET' }, key: ['tenant' as const], rate: '100/min', burst: 20 },
    { id: 'quick', match: { method: 'PUT' }, key: ['tenant' as const], rate: '50/s', burst: 2 },
    { id: 'monthly', match: { method: 'POST' }, key: ['tenant' as const], rate: '1/30d' },
    { id: 'flood', match: { method: 'PATCH' }, key: [], rate: '1000000/s' },
  ],
};

const clients = [
  {
    name: 'ioredis 5',
    open: (options: object): RedisClient => new Redis({ lazyConnect: true, ...options }),
    openCluster: (port: number): RedisClient =>
      new Cluster([{ host: '127.0.0.1', port }], { lazyConnect: true }),
  },
  {
    name: 'ioredis 6',
    open: (options: object): RedisClient => new Redis6({ lazyConnect: true, ...options }),
    openCluster: (port: number): RedisClient =>
      new Cluster6([{ host: '127.0.0.1', port }], { lazyConnect: true }),
  },
];

describe.skipIf(!isRedisInstalled())('on a real Redis', () => {
  let server: RealRedis;
  let admin: Redis;

  beforeAll(async () => {
    server = await startRealRedis();
    admin = new Redis({ port: server.port });
    // The server is killed on purpose below.
    admin.on('error', () => undefined);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  describe.each(clients)('the limiter under $name', ({ open, openCluster }) => {
    let redis: RedisClient;
    let limiter: Limiter;

    const create = (options: object = {}, deadlineMs = DEADLINE_MS) => {
      redis = open({ port: server.port, ...options });
      return createLimiter({ redis, policies, deadlineMs });
    };
    beforeEach(async () => {
      await admin.flushall();
      limiter = create();
      await limiter.ready();
    });
    afterEach(() => limiter.close());

    const get = (tenant = 'a') => limiter.check({ tenant, method: 'GET', route: '/' });

    it('admits the burst and no more, however many ask at once', async () => {
      const decisions = await Promise.all(Array.from({ length: 100 }, () => get()));
      expect(decisions.filter(({ kind }) => kind === 'allowed')).toHaveLength(20);
      expect(decisions.at(-1)).toMatchObject({ reason: 'rate-limited', binding: 'read' });
      expect(await get('b')).toMatchObject({ kind: 'allowed', remaining: 19, source: 'store' });
    });

    it('keeps its promise of a retry', async () => {
      const put = () => limiter.check({ tenant: 'a', method: 'PUT' });
      await Promise.all([put(), put(), put()]);
      const refused = await put();
      expect(refused.kind).toBe('denied');
      expect(refused.retryAfterMs).toBeGreaterThan(0);
      await sleep((refused.retryAfterMs ?? 0) + 2);
      expect(await put()).toMatchObject({ kind: 'allowed' });
    });

    it('counts one in thirty days and a million a second', async () => {
      const post = () => limiter.check({ tenant: 'a', method: 'POST' });
      expect(await post()).toMatchObject({ kind: 'allowed', resetMs: 2_592_000_000 });
      const refused = await post();
      expect(refused.retryAfterMs).toBeGreaterThan(2_591_990_000);
      const flood = { method: 'PATCH' };
      expect(await limiter.check(flood, { cost: 1_000_000 })).toMatchObject({ kind: 'allowed' });
      expect(await limiter.check(flood, { cost: 1_000_001 })).toMatchObject({
        reason: 'cost-exceeds-capacity',
      });
    });

    it('leaves no key without a life', async () => {
      await Promise.all([get(), get('b'), limiter.check({ method: 'POST' }), get('é{}:%')]);
      const keys = await admin.keys('*');
      expect(keys).toHaveLength(4);
      for (const key of keys) expect(await admin.pttl(key)).toBeGreaterThan(0);
    });

    it('never uses the connection it was given', async () => {
      await get();
      expect(redis.status).toBe('wait');
    });

    it('decides in one script, and in two when the store forgot it', async () => {
      await get();
      await admin.config('RESETSTAT');
      await get();
      expect(await scriptCalls()).toEqual({ evalsha: 1, eval: 0 });
      await admin.script('FLUSH');
      expect(await get()).toMatchObject({ kind: 'allowed', remaining: 17 });
      expect(await scriptCalls()).toEqual({ evalsha: 2, eval: 1 });
    });

    const scriptCalls = async () => {
      const stats = await admin.info('commandstats');
      const callsOf = (name: string) =>
        Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
      return { evalsha: callsOf('evalsha'), eval: callsOf('eval') };
    };

    it('denies at once while the store is gone, and decides again when it is back', async () => {
      await server.stop();
      try {
        await untilDenied();
        const startedMs = performance.now();
        expect(await get()).toMatchObject({
          reason: 'store-unavailable',
          retryAfterMs: 1000,
          failure: { code: expect.stringMatching(/^(not-connected|connection-lost)$/) },
        });
        expect(performance.now() - startedMs).toBeLessThan(LATE_MS);
      } finally {
        await server.start();
      }
      await limiter.ready();
      expect(await get()).toMatchObject({ kind: 'allowed', remaining: 19 });
    });

    const untilDenied = async () => {
      while ((await get()).kind === 'allowed') await sleep(5);
    };

    it('denies at the deadline when the store stands still, and recovers by itself', async () => {
      await limiter.close();
      limiter = create({}, SHORT_DEADLINE_MS);
      await limiter.ready();
      server.freeze();
      try {
        const startedMs = performance.now();
        const decisions = await Promise.all([get(), get(), get()]);
        const tookMs = performance.now() - startedMs;
        for (const decision of decisions) {
          expect(decision).toMatchObject({ failure: { code: 'deadline' }, source: 'none' });
        }
        expect(tookMs).toBeGreaterThanOrEqual(SHORT_DEADLINE_MS - 2);
        expect(tookMs).toBeLessThan(SHORT_DEADLINE_MS + LATE_MS);
        // Longer than the silence after which the connection is given up.
        await sleep(1300);
      } finally {
        server.thaw();
      }
      await limiter.ready();
      expect(await get()).toMatchObject({ source: 'store' });
    });

    it('refuses a key of another kind without admitting, and without ending it', async () => {
      await get();
      const [key = ''] = await admin.keys('*');
      await admin.del(key);
      await admin.lpush(key, 'x');
      expect(await get()).toMatchObject({
        reason: 'store-unavailable',
        failure: { code: 'foreign-state' },
      });
      expect(await admin.pttl(key)).toBeGreaterThan(0);
    });

    it('works whatever the given client is set to', async () => {
      await limiter.close();
      limiter = create({
        stringNumbers: true,
        commandTimeout: 1,
        enableAutoPipelining: true,
        keyPrefix: 'app:',
        connectionName: 'mine',
        reconnectOnError: () => 2,
        maxRetriesPerRequest: null,
      });
      expect(await get()).toMatchObject({ kind: 'allowed', remaining: 19 });
      await admin.script('FLUSH');
      const [first, second] = await Promise.all([get(), get()]);
      // A client told to reconnect on every error loses the reply; it must not ask twice.
      expect([first.source, second.source]).toEqual(['none', 'none']);
    });

    it('waits for its first connection within the deadline', async () => {
      await limiter.close();
      limiter = create();
      expect(await get()).toMatchObject({ kind: 'allowed' });
    });

    it.each(['nobody listens', 'nobody answers'])('settles when %s', async (when) => {
      await limiter.close();
      const silent = await startSilentServer();
      if (when === 'nobody listens') silent.stop();
      try {
        limiter = create({ port: silent.port }, SHORT_DEADLINE_MS);
        const startedMs = performance.now();
        expect(await get()).toMatchObject({ failure: { code: 'not-connected' } });
        expect(performance.now() - startedMs).toBeLessThan(SHORT_DEADLINE_MS + LATE_MS);
        const ready = expect(limiter.ready()).rejects.toThrow('The limiter was closed.');
        const pending = get();
        await closeQuickly();
        expect((await pending).failure?.code).toBe('closed');
        await ready;
      } finally {
        silent.stop();
      }
    });

    const closeQuickly = async () => {
      const startedMs = performance.now();
      await limiter.close();
      expect(performance.now() - startedMs).toBeLessThan(150 + LATE_MS);
    };

    it('closes while it waits to reconnect, and while the store stands still', async () => {
      await server.stop();
      await untilDenied();
      await sleep(100);
      await closeQuickly();
      await server.start();
      limiter = create();
      await limiter.ready();
      server.freeze();
      const pending = get();
      await closeQuickly();
      server.thaw();
      expect((await pending).failure?.code).toBe('closed');
    });

    it('leaves no timer and no socket after close, and denies from then on', async () => {
      await limiter.close();
      const before = countResources();
      limiter = create();
      await Promise.all([get(), get()]);
      await limiter.close();
      await limiter.close();
      await sleep(10);
      expect(countResources()).toEqual(before);
      expect(await get()).toMatchObject({ kind: 'denied', failure: { code: 'closed' } });
      await expect(limiter.ready()).rejects.toThrow('The limiter was closed.');
    });

    it('decides on a Cluster', async () => {
      const directory = mkdtempSync(join(tmpdir(), 'weir-cluster-'));
      const node = await startRealRedis(
        ...['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--dir', directory],
      );
      const nodeAdmin = new Redis({ port: node.port });
      try {
        await nodeAdmin.cluster('ADDSLOTSRANGE', 0, 16383);
        while (!String(await nodeAdmin.cluster('INFO')).includes('cluster_state:ok'))
          await sleep(20);
        await limiter.close();
        redis = openCluster(node.port);
        limiter = createLimiter({ redis, policies, deadlineMs: DEADLINE_MS });
        await limiter.ready();
        const decisions = await Promise.all(Array.from({ length: 30 }, () => get()));
        expect(decisions.filter(({ kind }) => kind === 'allowed')).toHaveLength(20);
        await limiter.close();
      } finally {
        nodeAdmin.disconnect();
        await node.stop();
        rmSync(directory, { recursive: true, force: true });
      }
    });
  });
});

function countResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (kind === 'Timeout' || kind === 'TCPSocketWrap') counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
