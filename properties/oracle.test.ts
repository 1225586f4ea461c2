// The oracle must never accuse an honest limiter, whatever happens to it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../sim/scenario/scenario.ts';
import { judge, SyntheticRun } from './oracle/synthetic-run.ts';

const limit = { id: 'read', match: { route: '/orders/:id' }, key: ['tenant', 'user'] };
const documents = [
  { revision: 1, limits: [{ ...limit, rate: '100/min', burst: 5 }] },
  { revision: 2, limits: [{ ...limit, rate: '70/9s', burst: 9 }] },
  { revision: 2, limits: [{ ...limit, rate: '100/min', burst: 3 }] },
  { revision: 3, limits: [{ ...limit, rate: '5/min', burst: 2 }] },
];

const step = fc.record({
  gapMs: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 20_000 })),
  cost: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 11 })),
  tenant: fc.constantFrom('a', 'b'),
  policies: fc.constantFrom(...documents),
  event: fc.oneof(
    { weight: 12, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constant('lose' as const) },
    { weight: 1, arbitrary: fc.integer({ min: -60_000, max: 60_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(-4_000_000_000, 4_000_000_000) },
  ),
});

describe('the oracle', () => {
  it('finds nothing wrong with an honest run, whatever clocks, policies and losses do', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 80, size: 'max' }), (steps) => {
        const run = new SyntheticRun(documents[0]);
        let atMs = 10;
        let offsetMs = 0;
        for (const { gapMs, cost, tenant, policies, event } of steps) {
          atMs += gapMs;
          if (event === 'lose') run.lose(atMs);
          if (typeof event === 'number') {
            offsetMs += event;
            run.fault({ kind: 'clock-step', id: 1, atMs, host: 'redis', ms: event });
          }
          const storeAtMs = atMs + 1 + offsetMs;
          run.check({ atMs, cost, tenant, policies, storeAtMs, host: `replica-${cost % 2}` });
        }
        const { violations, overshoot } = judge(run.end(atMs + 1000).events);
        expect(violations).toEqual([]);
        expect(overshoot['read'] ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns: 400 },
    );
  });

  it('does not take a loss for an excuse twice', () => {
    const run = new SyntheticRun(documents[0]);
    for (let count = 0; count < 6; count += 1) run.check({ atMs: 100 });
    run.lose(200);
    for (let count = 0; count < 6; count += 1) run.check({ atMs: 300 });
    run.store.clear();
    run.check({ atMs: 400 });
    expect(judge(run.end(500).events).broken).toContain('key-has-ttl');
  });

  it('judges a foreign limiter by what its contract promises, and by nothing else', () => {
    const run = new SyntheticRun(documents[0]);
    for (let count = 0; count < 20; count += 1) {
      run.check({ atMs: 100, bytes: 'foreign', outcome: (o) => ({ ...o, allowed: true }) });
    }
    const events = run.end(500).events;
    const contract = (capacity: number) => ({
      read: {
        algorithm: 'token-bucket',
        capacity,
        rate: { tokens: 100, periodMs: 60_000 },
        promises: ['admission-bound'],
      },
    });
    expect(judge(events, { contract: contract(20) }).broken).toEqual([]);
    expect(judge(events, { contract: contract(19) }).broken).toEqual(['admission-bound']);
    expect(judge(events).broken).toContain('bucket-within-capacity');
  });

  it('holds a limiter that decides without a script to its bound as well', () => {
    const contract = {
      read: {
        algorithm: 'token-bucket',
        capacity: 5,
        rate: { tokens: 60, periodMs: 60_000 },
        promises: ['admission-bound'],
      },
    };
    const admit = (run: SyntheticRun, atMs: number, count: number) => {
      for (let each = 0; each < count; each += 1) {
        run.check({ atMs, isUnsent: true, outcome: () => ({ allowed: true, source: 'store' }) });
      }
    };
    const broken = (play: (run: SyntheticRun) => void) => {
      const run = new SyntheticRun(documents[0]);
      play(run);
      return judge(run.end(60_000).events, { contract }).broken;
    };
    const burst = (count: number) => (run: SyntheticRun) => admit(run, 100, count);
    expect(broken(burst(5))).toEqual([]);
    expect(broken(burst(6))).toEqual(['admission-bound']);
    // What the store lost or its clock gained is allowed for, once.
    const lossy = (count: number) => (run: SyntheticRun) => {
      admit(run, 100, 5);
      run.lose(200);
      admit(run, 300, count);
    };
    expect(broken(lossy(5))).toEqual([]);
    expect(broken(lossy(6))).toEqual(['admission-bound']);
    const gaining = (count: number) => (run: SyntheticRun) => {
      admit(run, 100, 5);
      run.fault({ kind: 'clock-step', id: 1, atMs: 200, host: 'redis', ms: 2000 });
      admit(run, 300, count);
    };
    expect(broken(gaining(2))).toEqual([]);
    expect(broken(gaining(3))).toEqual(['admission-bound']);
  });

  it('forgives what a fault excuses only on the replicas it touches', () => {
    const restart: Fault = {
      kind: 'store-restart',
      id: 1,
      atMs: 500,
      durationMs: 100,
      lose: false,
    };
    const run = new SyntheticRun(documents[0], [restart]);
    run.check({ atMs: 10 });
    run.fault(restart);
    run.check({ atMs: 550, isUnsent: true });
    run.fault(restart, 'end');
    run.check({ atMs: 700, isUnsent: true });
    run.check({ atMs: 800 });
    expect(judge([...run.events]).broken).toEqual([]);
    // Once it has been answered again, there is no excuse left.
    run.check({ atMs: 900, isUnsent: true });
    expect(judge(run.events).broken).toEqual(['no-wrongful-refusal']);
  });
});
