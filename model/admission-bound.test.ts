import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdmissionBound } from './admission-bound.ts';
import { type BucketParameters, createBucketParameters } from './bucket-parameters.ts';
import { type BucketState, decideTokenBucket } from './token-bucket.ts';

const perMinute = createBucketParameters({ tokens: 60, periodMs: 60_000, capacity: 10 });

function admit(bound: AdmissionBound, atMs: number, cost: number, isLost = false, gainMs = 0) {
  const atUs = atMs * 1000;
  const parameters = perMinute;
  return bound.admit({ atUs, cost, parameters, clockGainMs: gainMs, isLost, uncertainUs: 0 });
}

/** The definition itself: every interval that begins and ends with an admission. */
function worstExcess(admissions: readonly { atUs: number; cost: number }[]): number {
  let worst = 0;
  for (const [start, { atUs: startUs }] of admissions.entries()) {
    let observed = 0;
    for (const { atUs, cost } of admissions.slice(start)) {
      observed += cost * 1_000_000;
      worst = Math.max(worst, observed - (atUs - startUs));
    }
  }
  return worst;
}

describe('the admission bound', () => {
  it('is reached, and not passed, by a burst and the refill after it', () => {
    const bound = new AdmissionBound();
    expect(admit(bound, 5000, 10)).toBe(true);
    expect(admit(bound, 7000, 2)).toBe(true);
    expect(bound.worstRatio).toBeGreaterThan(0.999);
    expect(bound.worstRatio).toBeLessThanOrEqual(1);
  });

  it('widens an interval by as much as the instant of an admission is unknown', () => {
    const admitTwice = (uncertainUs: number) => {
      const bound = new AdmissionBound();
      admit(bound, 5000, 10);
      const rest = { parameters: perMinute, clockGainMs: 0, isLost: false };
      return bound.admit({ atUs: 5_500_000, cost: 1, uncertainUs, ...rest });
    };
    expect(admitTwice(500_000)).toBe(true);
    expect(admitTwice(498_000)).toBe(false);
  });

  it('is broken by one token too many', () => {
    const bound = new AdmissionBound();
    admit(bound, 5000, 10);
    expect(admit(bound, 5998, 1)).toBe(false);
    expect(bound.worstRatio).toBeGreaterThan(1);
  });

  it('finds the worst interval although quiet ones lie before it', () => {
    const bound = new AdmissionBound();
    admit(bound, 0, 1);
    for (let second = 100; second < 110; second += 1) admit(bound, second * 1000, 1);
    expect(admit(bound, 110_000, 10)).toBe(true);
    expect(admit(bound, 110_000, 1)).toBe(false);
  });

  it('allows one capacity for a loss, and what a gain of the clock refills', () => {
    const lost = new AdmissionBound();
    admit(lost, 0, 10);
    expect(admit(lost, 1, 10, true)).toBe(true);
    expect(admit(lost, 2, 1)).toBe(false);
    const gained = new AdmissionBound();
    admit(gained, 0, 10);
    expect(admit(gained, 1, 5, false, 5000)).toBe(true);
    expect(admit(gained, 1, 1, false, 5000)).toBe(false);
  });

  it('adds no more than a capacity for a clock that gained a century', () => {
    const bound = new AdmissionBound();
    admit(bound, 0, 10);
    expect(admit(bound, 1, 10, false, 3e12)).toBe(true);
    expect(admit(bound, 1, 1, false, 3e12)).toBe(false);
  });

  it('says broken exactly when the definition does', () => {
    const admission = fc.record({
      gapUs: fc.integer({ min: 0, max: 4_000_000 }),
      cost: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(admission, { maxLength: 40, size: 'max' }), (drawn) => {
        const bound = new AdmissionBound();
        const admissions: { atUs: number; cost: number }[] = [];
        let atUs = 0;
        for (const { gapUs, cost } of drawn) {
          atUs += gapUs;
          admissions.push({ atUs, cost });
          const holds = bound.admit({
            atUs,
            cost,
            parameters: perMinute,
            clockGainMs: 0,
            isLost: false,
            uncertainUs: 0,
          });
          // One token a second is one microtoken a microsecond; a millisecond of it is allowed.
          if (!holds) expect(worstExcess(admissions)).toBeGreaterThan(10_001_000);
          if (worstExcess(admissions) > 10_001_001) expect(bound.worstRatio).toBeGreaterThan(1);
        }
      }),
    );
  });

  it('holds for whatever the exact bucket admits', () => {
    const step = fc.record({
      gapUs: fc.integer({ min: 0, max: 3_000_000 }),
      cost: fc.integer({ min: 1, max: 12 }),
      policy: fc.nat({ max: 2 }),
    });
    const policy = fc
      .record({
        tokens: fc.integer({ min: 1, max: 500 }),
        periodMs: fc.constantFrom(1000, 7000, 60_000),
        capacity: fc.integer({ min: 1, max: 30 }),
      })
      .map(createBucketParameters);
    const policies = fc.array(policy, { minLength: 3, maxLength: 3 });
    // Up to a millisecond refills at the fast rate, of which most is counted at the slow one.
    const fast = createBucketParameters({ tokens: 95, periodMs: 1000, capacity: 8 });
    const slow = createBucketParameters({ tokens: 1, periodMs: 1000, capacity: 9 });
    const ask = (gapUs: number, cost: number, index = 0) => ({ gapUs, cost, policy: index });
    const rateDropsWithinMillisecond: [
      BucketParameters[],
      { gapUs: number; cost: number; policy: number }[],
    ] = [
      [fast, fast, slow],
      [ask(51_147, 1), ask(853, 2), ask(0, 1, 2), ask(1_019_244, 4), ask(643_038, 3)].concat([
        ask(158_345, 3),
        ask(2_055_299, 3),
        ask(2_505_242, 1),
        ask(2_245_424, 6),
        ask(2_278_408, 8),
      ]),
    ];
    fc.assert(
      fc.property(policies, fc.array(step, { maxLength: 80, size: 'max' }), (drawn, steps) => {
        const bound = new AdmissionBound();
        let state: BucketState | undefined;
        let atUs = 0;
        let revision = 0;
        for (const { gapUs, cost, policy: index } of steps) {
          atUs += gapUs;
          revision = Math.max(revision, index);
          const parameters = drawn[revision] ?? perMinute;
          const nowMs = Math.floor(atUs / 1000);
          const decision = decideTokenBucket(state, { revision, parameters, cost, nowMs });
          state = decision.state;
          if (!decision.written) continue;
          const holds = bound.admit({
            atUs,
            cost: decision.allowed ? cost : 0,
            parameters: decision.seen.parameters,
            clockGainMs: 0,
            isLost: false,
            uncertainUs: 0,
          });
          expect(holds).toBe(true);
        }
      }),
      { numRuns: 500, examples: [rateDropsWithinMillisecond] },
    );
  });
});
