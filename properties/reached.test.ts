import { describe, expect, it } from 'vitest';
import type { Fault, Scenario } from '../sim/scenario/scenario.ts';
import { judge, SyntheticRun } from './oracle/synthetic-run.ts';
import { marks } from './reached.ts';

const limit = { id: 'read', match: { route: '/orders/:id' }, key: ['tenant', 'user'] };
const policies = { revision: 2, limits: [{ ...limit, rate: '100/min', burst: 5 }] };
const raised = { revision: 3, limits: [{ ...limit, rate: '100/min', burst: 9 }] };
const lowered = { revision: 4, limits: [{ ...limit, rate: '100/min', burst: 4 }] };
const rolledBack = { revision: 3, limits: [{ ...limit, rate: '100/min', burst: 9 }] };
const hourly = { revision: 5, limits: [{ ...limit, rate: '100/h', burst: 5 }] };

function reachedBy(play: (run: SyntheticRun) => void): string[] {
  const run = new SyntheticRun(policies);
  play(run);
  const { reached } = judge(run.end(100_000).events);
  return Object.keys(reached).filter((name) => (reached[name] ?? 0) > 0);
}

const withStream = (faults: Fault[], cost: { min: number; max: number }): Scenario => ({
  ...new SyntheticRun(policies).scenario,
  faults,
  workload: {
    kind: 'streams',
    streams: [
      {
        id: 1,
        kind: 'bursts',
        limit: 'read',
        startMs: 0,
        endMs: 60_000,
        tenants: 1,
        users: 1,
        cost,
        size: 60,
        everyMs: 5000,
      },
    ],
  },
});

describe('marks', () => {
  it('have names of their own', () => {
    expect(new Set(marks.map(({ name }) => name)).size).toBe(marks.length);
  });

  it('are not reached by a single check', () => {
    expect(reachedBy((run) => run.check({ atMs: 10 }))).toEqual([]);
  });

  it('are reached by the corners of a bucket', () => {
    const reached = reachedBy((run) => {
      run.check({ atMs: 10, cost: 5 });
      run.check({ atMs: 10, host: 'replica-1' });
      run.check({ atMs: 10, cost: 6 });
      run.check({ atMs: 10, cost: 0 });
      run.check({ atMs: 609 });
      run.check({ atMs: 610 });
      run.check({ atMs: 711 });
      run.check({ atMs: 1400, cost: 1, storeAtMs: 500 });
      run.check({ atMs: 1500, storeAtMs: -9000 });
      run.check({ atMs: 1600, path: '/other' });
    });
    for (const name of [
      'bucket-exactly-empty',
      'refused',
      'cost-above-capacity',
      'peek',
      'same-millisecond',
      'replicas-share-bucket',
      'retry-too-early',
      'retry-after-kept',
      'retry-after-exact',
      'clock-clamped',
      're-anchored',
      'no-limit-matched',
    ]) {
      expect(reached).toContain(name);
    }
  });

  it('are reached by policies that change under a living bucket', () => {
    const reached = reachedBy((run) => {
      run.check({ atMs: 10, cost: 3 });
      run.check({ atMs: 20, policies: raised });
      run.check({ atMs: 31, policies: lowered });
      run.check({ atMs: 40, policies: rolledBack });
      run.check({ atMs: 50, policies: hourly });
    });
    for (const name of ['policy-raised', 'policy-lowered', 'older-revision', 'period-changed']) {
      expect(reached).toContain(name);
    }
  });

  it('are reached by a key that expired and by a bucket that is full again', () => {
    const expired = reachedBy((run) => {
      run.check({ atMs: 10 });
      run.check({ atMs: 5000 });
    });
    expect(expired).toContain('key-expired');
    const full = reachedBy((run) => {
      run.check({ atMs: 10 });
      run.check({ atMs: 610 });
    });
    expect(full).toContain('bucket-full-again');
  });

  it('are required where the scenario makes them likely, and not elsewhere', () => {
    const required = (scenario: Scenario) =>
      marks.filter((mark) => mark.requires(scenario)).map(({ name }) => name);
    const back: Fault = { kind: 'clock-step', id: 1, atMs: 9000, host: 'redis', ms: -1000 };
    const plain = required(withStream([], { min: 1, max: 1 }));
    expect(plain).toContain('refused');
    expect(plain).not.toContain('peek');
    expect(plain).not.toContain('clock-clamped');
    expect(required(withStream([back], { min: 0, max: 9 }))).toEqual(
      expect.arrayContaining([
        'peek',
        'cost-above-capacity',
        'bucket-exactly-empty',
        'clock-clamped',
      ]),
    );
    // A fault after the last request shows nothing.
    expect(required(withStream([{ ...back, atMs: 70_000 }], { min: 1, max: 1 }))).not.toContain(
      'clock-clamped',
    );
    expect(required(new SyntheticRun(policies).scenario)).toEqual([]);
  });
});
