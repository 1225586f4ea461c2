import { describe, expect, it } from 'vitest';
import { type Fault, type Request, type Scenario, scenarioSchema } from '../scenario/scenario.ts';
import { type ShrinkResult, type StillFails, shrink } from './shrink.ts';

const latency = { minUs: 313, tailUs: 97 };
const faults: Fault[] = [
  { kind: 'script-flush', id: 1, atMs: 5000 },
  { kind: 'crash', id: 2, atMs: 11_037, durationMs: 731, host: 'replica-2' },
  { kind: 'clock-step', id: 3, atMs: 17_011, host: 'redis', ms: -2913 },
  { kind: 'pause', id: 4, atMs: 20_000, durationMs: 333, host: 'gateway-1' },
  { kind: 'reply-lost', id: 5, atMs: 31_555, host: 'replica-1' },
];
const base = { startMs: 0, endMs: 60_000, tenants: 3, users: 2, cost: { min: 1, max: 3 } };
const scenario: Scenario = {
  format: 1,
  seed: 7,
  policies: {
    limits: [
      { id: 'read', match: { route: '/items/:id' }, key: ['tenant', 'user'], rate: '1/s' },
      { id: 'rest', key: ['tenant'], rate: '1/s' },
    ],
  },
  topology: {
    gateways: 3,
    replicas: 3,
    clockOffsetsMs: { redis: 40, 'replica-1': -77 },
    gatewayLink: latency,
    storeLink: latency,
    scriptUs: 17,
    commandUs: 3,
  },
  workload: {
    kind: 'streams',
    streams: [
      { kind: 'poisson', id: 1, limit: 'read', ...base, ratePerSecond: 7 },
      {
        kind: 'bursts',
        id: 2,
        limit: 'rest',
        ...base,
        size: 20,
        everyMs: 5000,
        retry: { kind: 'ignore', attempts: 3, delayMs: 20 },
      },
    ],
  },
  faults,
  knobs: { deadlineMs: 61, gatewayDeadlineMs: 91, settleMs: 10_000 },
};

function requestsOf(candidate: Scenario): readonly Request[] {
  return candidate.workload.kind === 'requests' ? candidate.workload.requests : [];
}

async function run(stillFails: StillFails, hint = {}): Promise<ShrinkResult> {
  return shrink(scenario, stillFails, { now: () => 0, hint });
}

function sizeOf({ scenario: small }: ShrinkResult): number {
  return small.workload.requests.length + small.faults.length;
}

/** Cost a bucket of `capacity` tokens and one token a second refuses, by tenant and user. */
function refusals(candidate: Scenario, capacity: number): Request[] {
  const buckets = new Map<string, { level: number; atUs: number }>();
  return requestsOf(candidate).filter(({ tenant, user, atUs, cost }) => {
    const key = `${tenant} ${user}`;
    const before = buckets.get(key) ?? { level: capacity, atUs };
    const level = Math.min(capacity, before.level + (atUs - before.atUs) / 1e6);
    const isRefused = level < cost;
    buckets.set(key, { level: isRefused ? level : level - cost, atUs });
    return isRefused;
  });
}

const hasFault = (candidate: Scenario, kind: Fault['kind']): boolean =>
  candidate.faults.some((fault) => fault.kind === kind);

describe('shrink', () => {
  it('says so when the scenario does not fail, after one run', async () => {
    expect(await run(() => false)).toMatchObject({ confirmed: false, runs: 1 });
  });

  it('leaves nothing that a failure without needs could lose', async () => {
    const result = await run(() => true);
    expect(sizeOf(result)).toBe(0);
    expect(result.scenario.topology).toEqual({
      gateways: 1,
      replicas: 1,
      clockOffsetsMs: {},
      gatewayLink: { minUs: 100, tailUs: 0 },
      storeLink: { minUs: 100, tailUs: 0 },
      scriptUs: 10,
      commandUs: 0,
    });
    expect(result.scenario.policies).toMatchObject({ limits: [{ id: 'read' }] });
    expect(result.scenario.knobs.settleMs).toBe(5000);
    expect(result.runs).toBeLessThan(60);
  });

  it('keeps the two requests and the fault that are needed, in few runs', async () => {
    const ids = [1_000_003, 1_000_077];
    const result = await run(
      (candidate) =>
        hasFault(candidate, 'crash') &&
        ids.every((id) => requestsOf(candidate).some((request) => request.id === id)),
    );
    expect(result.scenario.workload.requests.map(({ id }) => id)).toEqual(ids);
    expect(result.scenario.faults).toEqual([
      { kind: 'crash', id: 2, atMs: 0, durationMs: 1, host: 'replica-0' },
    ]);
    expect(result.runs).toBeLessThan(200);
  });

  it('gives what the schema accepts, sorted, and tries nothing twice', async () => {
    const tried = new Set<string>();
    const result = await run((candidate) => {
      scenarioSchema.parse(candidate);
      const text = JSON.stringify(candidate);
      expect(tried.has(text)).toBe(false);
      tried.add(text);
      return refusals(candidate, 5).length > 0;
    });
    const times = result.scenario.workload.requests.map(({ atUs }) => atUs);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('merges requests whose cost alone matters', async () => {
    const result = await run((candidate) => refusals(candidate, 20).length > 0);
    expect(sizeOf(result)).toBeLessThanOrEqual(2);
    expect(result.runs).toBeLessThan(150);
  });

  it('keeps the time between requests when it matters, rounded', async () => {
    const result = await run((candidate) => {
      const times = requestsOf(candidate).map(({ atUs }) => atUs);
      return times.some((atUs) => times.some((other) => other - atUs >= 4_321_000));
    });
    const [first = 0, second = 0] = result.scenario.workload.requests.map(({ atUs }) => atUs);
    expect(result.scenario.workload.requests).toHaveLength(2);
    expect(first).toBe(0);
    expect(second).toBeLessThan(6_000_000);
  });

  it('keeps the order of requests and faults', async () => {
    const result = await run((candidate) =>
      candidate.faults.some(
        (fault) =>
          fault.kind === 'clock-step' &&
          fault.ms < -1000 &&
          requestsOf(candidate).some(({ atUs }) => atUs > fault.atMs * 1000) &&
          requestsOf(candidate).some(({ atUs }) => atUs < fault.atMs * 1000),
      ),
    );
    expect(result.scenario.faults).toMatchObject([{ kind: 'clock-step', ms: -3000 }]);
    expect(result.scenario.workload.requests).toHaveLength(2);
  });

  it('needs few runs with a hint of the time and the client', async () => {
    const [target] = refusals((await run(() => false)).scenario, 9);
    const stillFails = (candidate: Scenario): boolean =>
      refusals(candidate, 9).some(({ tenant }) => tenant === target?.tenant);
    const { atUs, tenant, user } = target ?? {};
    const hinted = await run(stillFails, { atUs, tenant, user });
    const blind = await run(stillFails);
    expect(sizeOf(hinted)).toBeLessThanOrEqual(2);
    expect(hinted.runs).toBeLessThanOrEqual(blind.runs);
  });

  it('uses the hints that runs return', async () => {
    const cutsAt: number[] = [];
    const result = await run((candidate) => {
      const requests = requestsOf(candidate);
      cutsAt.push(requests.length);
      const third = requests[2];
      return third === undefined ? false : { atUs: third.atUs };
    });
    expect(cutsAt[1]).toBeLessThan(30);
    expect(result.scenario.workload.requests).toHaveLength(3);
  });

  it('is deterministic', async () => {
    const stillFails = (candidate: Scenario): boolean => refusals(candidate, 12).length > 3;
    expect(await run(stillFails)).toEqual(await run(stillFails));
  });

  it('ends at its limits with the smallest scenario so far', async () => {
    let nowMs = 0;
    const stillFails = (candidate: Scenario): boolean => {
      nowMs += 10;
      return refusals(candidate, 5).length > 0;
    };
    const timed = await shrink(scenario, stillFails, { now: () => nowMs, deadlineMs: 95 });
    expect(timed).toMatchObject({ stop: 'deadline', runs: 10 });
    expect(refusals(timed.scenario, 5).length).toBeGreaterThan(0);
    const counted = await shrink(scenario, stillFails, { now: () => 0, maxRuns: 7 });
    expect(counted).toMatchObject({ stop: 'max-runs', runs: 7 });
  });

  it('reports progress that only gets smaller and passes errors on', async () => {
    const sizes: number[] = [];
    await shrink(scenario, (candidate) => refusals(candidate, 5).length > 0, {
      now: () => 0,
      onProgress: ({ requests, faults: left }) => sizes.push(requests + left),
    });
    expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
    const failing = run(() => Promise.reject(new Error('escape')));
    await expect(failing).rejects.toThrow('escape');
  });

  it('gets twenty different failures down to 12 requests and faults in 300 runs, by the median', async () => {
    const results: ShrinkResult[] = [];
    for (const stillFails of manyFailures()) results.push(await run(stillFails));
    for (const result of results) expect(result.confirmed).toBe(true);
    expect(results).toHaveLength(20);
    expect(median(results.map(sizeOf))).toBeLessThanOrEqual(12);
    expect(median(results.map(({ runs }) => runs))).toBeLessThanOrEqual(300);
  });
});

/** Refusals after faults, many refusals, requests of several clients, chains of requests. */
function manyFailures(): StillFails[] {
  const failures: StillFails[] = [];
  for (const kind of faults.map((fault) => fault.kind)) {
    failures.push((candidate) => {
      const fault = candidate.faults.find((other) => other.kind === kind);
      const late = refusals(candidate, 6).find(
        (request) => request.atUs / 1000 > (fault?.atMs ?? 0),
      );
      return fault !== undefined && late !== undefined;
    });
  }
  for (const count of [1, 2, 5, 8, 12]) {
    failures.push((candidate) => refusals(candidate, 10).length >= count);
  }
  for (const count of [2, 3, 4, 5, 6]) {
    failures.push(
      (candidate) =>
        new Set(requestsOf(candidate).map(({ tenant, user }) => tenant + user)).size >= count,
    );
  }
  for (const gapMs of [1, 3, 10, 100, 900]) {
    failures.push((candidate) => {
      const requests = requestsOf(candidate);
      return requests.some((request, index) => {
        const third = requests[index + 2];
        const gapUs = (third?.atUs ?? Number.POSITIVE_INFINITY) - request.atUs;
        return gapUs > gapMs * 900 && gapUs < gapMs * 50_000 && third?.tenant === request.tenant;
      });
    });
  }
  return failures;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}
