import { describe, expect, it } from 'vitest';
import { type Request, requestSchema, type Stream } from '../scenario/scenario.ts';
import { materialise } from './materialise.ts';

const policies = {
  limits: [
    { id: 'read', match: { method: 'GET', route: '/orders/:id' }, key: ['tenant'], rate: '1/s' },
    { id: 'rest', key: ['tenant'], rate: '1/s' },
  ],
};
const base = {
  id: 1,
  limit: 'read',
  startMs: 0,
  endMs: 10_000,
  tenants: 2,
  users: 3,
  cost: { min: 1, max: 1 },
};
const poisson: Stream = { kind: 'poisson', ...base, ratePerSecond: 50 };

function requestsOf(...streams: Stream[]): Request[] {
  return materialise({ kind: 'streams', streams }, policies, 7);
}

describe('materialise', () => {
  it('gives requests that the schema accepts, in order of time and then id', () => {
    const requests = requestsOf(poisson, { ...poisson, id: 2, limit: 'rest' });
    for (const request of requests) expect(requestSchema.parse(request)).toEqual(request);
    const sorted = [...requests].sort((a, b) => a.atUs - b.atUs || a.id - b.id);
    expect(requests).toEqual(sorted);
    expect(new Set(requests.map((request) => request.id)).size).toBe(requests.length);
  });

  it('makes paths that fit the limit’s route and takes its method', () => {
    for (const { method, path } of requestsOf(poisson)) {
      expect(`${method} ${path}`).toMatch(/^GET \/orders\/([1-9]\d?|100)$/);
    }
    expect(requestsOf({ ...poisson, limit: 'rest' })[0]).toMatchObject({
      method: 'GET',
      path: '/',
    });
  });

  it('leaves the requests of a stream as they are when another is removed', () => {
    const other: Stream = { ...poisson, id: 2 };
    const both = requestsOf(poisson, other).filter((request) => request.id > 2_000_000);
    expect(both.length).toBeGreaterThan(300);
    expect(requestsOf(other)).toEqual(both);
  });

  it('draws other requests for another seed', () => {
    const workload = { kind: 'streams' as const, streams: [poisson] };
    expect(materialise(workload, policies, 8)).not.toEqual(materialise(workload, policies, 7));
    expect(materialise(workload, policies, 2 ** 33 + 7)).not.toEqual(requestsOf(poisson));
  });

  it('keeps the mean rate and spreads clients evenly in a Poisson stream', () => {
    const requests = requestsOf({ ...poisson, endMs: 200_000 });
    expect(Math.abs(requests.length - 10_000)).toBeLessThan(400);
    const clients = counts(requests.map(({ tenant, user }) => `${tenant} ${user}`));
    expect(clients).toHaveLength(6);
    for (const count of clients) expect(Math.abs(count - 1667)).toBeLessThan(200);
    // Exponential gaps: their standard deviation is their mean.
    const gaps = requests.slice(1).map((request, at) => request.atUs - (requests[at]?.atUs ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(Math.sqrt(variance) / mean).toBeGreaterThan(0.95);
    expect(Math.sqrt(variance) / mean).toBeLessThan(1.05);
  });

  it('sends every burst at one instant and from one client', () => {
    const requests = requestsOf({ kind: 'bursts', ...base, size: 5, everyMs: 2500 });
    expect(requests.map(({ atUs }) => atUs / 1000)).toEqual(
      [0, 2500, 5000, 7500].flatMap((atMs) => [atMs, atMs, atMs, atMs, atMs]),
    );
    for (let first = 0; first < 20; first += 5) {
      const burst = requests.slice(first, first + 5);
      expect(new Set(burst.map(({ tenant, user }) => tenant + user)).size).toBe(1);
    }
  });

  it('attacks each window’s boundary from both sides with the same client', () => {
    const stream: Stream = { kind: 'boundary', ...base, size: 1, windowMs: 4000, gapMs: 10 };
    const requests = requestsOf(stream);
    expect(requests.map(({ atUs }) => atUs / 1000)).toEqual([3990, 4010, 7990, 8010]);
    expect(requests[0]?.tenant).toBe(requests[1]?.tenant);
  });

  it('gives the hot client its share and a Zipf stream its weights', () => {
    const hot = requestsOf({
      kind: 'hot-key',
      ...base,
      ratePerSecond: 99,
      endMs: 100_000,
      share: 0.7,
    });
    const own = hot.filter(({ tenant, user }) => tenant === 'tenant-1' && user === 'user-1');
    expect(own.length / hot.length).toBeGreaterThan(0.67);
    expect(own.length / hot.length).toBeLessThan(0.73);
    const zipf = requestsOf({
      kind: 'zipf',
      ...base,
      ratePerSecond: 99,
      endMs: 100_000,
      tenants: 1000,
      exponent: 1,
    });
    const [first = 0, second = 0] = ['tenant-1', 'tenant-2'].map(
      (name) => zipf.filter(({ tenant }) => tenant === name).length,
    );
    expect(first / second).toBeGreaterThan(1.7);
    expect(first / second).toBeLessThan(2.3);
  });

  it('lets a looping client come back at the same interval, with its cost and retry', () => {
    const retry = { kind: 'ignore' as const, attempts: 2, delayMs: 5 };
    const requests = requestsOf({
      kind: 'looping-client',
      ...base,
      everyMs: 4000,
      cost: { min: 3, max: 3 },
      retry,
    });
    expect(requests.map(({ atUs, cost }) => [atUs, cost])).toEqual([
      [0, 3],
      [4_000_000, 3],
      [8_000_000, 3],
    ]);
    expect(requests[0]?.retry).toEqual(retry);
  });

  it('draws every cost between the given ones', () => {
    const requests = requestsOf({ ...poisson, cost: { min: 0, max: 3 } });
    expect(new Set(requests.map(({ cost }) => cost))).toEqual(new Set([0, 1, 2, 3]));
  });

  it('gives awkward names that collide when joined without escaping', () => {
    const requests = requestsOf({ ...poisson, names: 'awkward', tenants: 2, users: 2 });
    const clients = new Set(requests.map(({ tenant, user }) => JSON.stringify([tenant, user])));
    const joined = new Set(requests.map(({ tenant, user }) => `${tenant}:${user}`));
    expect(clients.size).toBeGreaterThan(joined.size);
    const open = requestsOf({ ...poisson, names: 'awkward', tenants: 1, users: 4, limit: 'rest' });
    const keys = new Set(open.map(({ user, path }) => JSON.stringify([user, path])));
    expect(keys.size).toBeGreaterThan(
      new Set(open.map(({ user, path }) => `${user}:${path}`)).size,
    );
  });

  it('refuses a stream for an unknown limit and two streams with one id', () => {
    expect(() => requestsOf({ ...poisson, limit: 'gone' })).toThrow(/"gone"/);
    expect(() => requestsOf(poisson, poisson)).toThrow(/id 1/);
  });

  it('sorts given requests and changes nothing else', () => {
    const requests = requestsOf(poisson);
    const shuffled = [...requests].reverse();
    expect(materialise({ kind: 'requests', requests: shuffled }, {}, 1)).toEqual(requests);
  });
});

function counts(values: readonly string[]): number[] {
  const map = new Map<string, number>();
  for (const value of values) map.set(value, (map.get(value) ?? 0) + 1);
  return [...map.values()];
}
