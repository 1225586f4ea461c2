import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BucketParameters, createBucketParameters } from './bucket-parameters.ts';
import { decideGcra, type GcraState } from './gcra.ts';
import {
  type BucketDecision,
  type BucketRequest,
  type BucketState,
  decideTokenBucket,
  fullAtMs,
} from './token-bucket.ts';

const EPOCH_MS = 1_767_225_600_000;

const parameters = fc
  .record({
    tokens: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1_000_000 })),
    periodMs: fc.oneof(
      fc.constantFrom(1, 1000, 60_000, 3_600_000, 86_400_000),
      fc.integer({ min: 1, max: 100_000 }),
    ),
    capacity: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 1_000_000 })),
  })
  .map(createBucketParameters);

interface Step {
  readonly gapMs: number;
  readonly cost: number;
  readonly policy: number;
}

/** Steps of a history: gaps go back as well, small and large; policies are picked by index. */
const step: fc.Arbitrary<Step> = fc.record({
  gapMs: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 50 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -2000, max: 0 }) },
    { weight: 1, arbitrary: fc.integer({ min: -4_000_000_000, max: 4_000_000_000 }) },
  ),
  cost: fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 12 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_000_000 }) },
  ),
  policy: fc.nat({ max: 2 }),
});

const history = fc.record({
  policies: fc.array(fc.record({ revision: fc.integer({ min: 1, max: 3 }), parameters }), {
    minLength: 3,
    maxLength: 3,
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
});

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

function follow({ policies, steps }: History, visit: (request: BucketRequest) => void): void {
  let nowMs = EPOCH_MS;
  for (const { gapMs, cost, policy } of steps) {
    nowMs = Math.max(1, nowMs + gapMs);
    const { revision, parameters: own } = policies[policy] ?? { revision: 1, parameters: minute };
    visit({ revision, parameters: own, cost, nowMs });
  }
}

const minute = createBucketParameters({ tokens: 100, periodMs: 60_000, capacity: 20 });

function ask(
  state: BucketState | undefined,
  cost: number,
  nowMs: number,
  own: BucketParameters = minute,
  revision = 1,
): BucketDecision {
  return decideTokenBucket(state, { revision, parameters: own, cost, nowMs });
}

describe('the exact token bucket', () => {
  it('agrees with GCRA decision for decision', () => {
    fc.assert(
      fc.property(history, (drawn) => {
        let bucket: BucketState | undefined;
        let gcra: GcraState | undefined;
        follow(drawn, (request) => {
          const decision = decideTokenBucket(bucket, request);
          const other = decideGcra(gcra, request);
          bucket = decision.state;
          gcra = other.state;
          expect([other.allowed, other.remaining, other.retryAfterMs, other.resetMs]).toEqual([
            decision.allowed,
            decision.remaining,
            decision.retryAfterMs,
            decision.resetMs,
          ]);
          expect(gcra === undefined).toBe(bucket === undefined);
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps its level between zero and its capacity', () => {
    fc.assert(
      fc.property(history, (drawn) => {
        let bucket: BucketState | undefined;
        follow(drawn, (request) => {
          bucket = decideTokenBucket(bucket, request).state;
          if (bucket === undefined) return;
          expect(bucket.units >= 0).toBe(true);
          expect(bucket.units <= bucket.parameters.capacityUnits).toBe(true);
        });
      }),
    );
  });

  it('keeps its retry-after to the millisecond', () => {
    fc.assert(
      fc.property(history, (drawn) => {
        let bucket: BucketState | undefined;
        follow(drawn, (request) => {
          const { state, retryAfterMs, allowed } = decideTokenBucket(bucket, request);
          bucket = state;
          if (retryAfterMs === undefined) return;
          expect(allowed).toBe(false);
          const dueMs = request.nowMs + retryAfterMs;
          expect(decideTokenBucket(bucket, { ...request, nowMs: dueMs }).allowed).toBe(true);
          expect(decideTokenBucket(bucket, { ...request, nowMs: dueMs - 1 }).allowed).toBe(false);
        });
      }),
    );
  });

  it('is full after its reset and not a millisecond earlier', () => {
    fc.assert(
      fc.property(history, (drawn) => {
        let bucket: BucketState | undefined;
        follow(drawn, (request) => {
          const { state, resetMs, written } = decideTokenBucket(bucket, request);
          bucket = state;
          if (!written || state === undefined) return;
          expect(fullAtMs(state)).toBe(request.nowMs + resetMs);
          const own = state.parameters;
          const look = (nowMs: number) => ask(state, 0, nowMs, own, state.revision).seen.units;
          expect(look(request.nowMs + resetMs)).toBe(own.capacityUnits);
          if (state.units === own.capacityUnits) return;
          expect(look(request.nowMs + resetMs - 1) < own.capacityUnits).toBe(true);
        });
      }),
    );
  });

  it('is not changed by refusals and looks in between', () => {
    fc.assert(
      fc.property(history, (drawn) => {
        // One revision and a clock that never goes back, so that a refusal writes nothing at all.
        const policies = drawn.policies.map((policy) => ({ ...policy, revision: 1 }));
        const steps = drawn.steps.map((drawnStep) => ({
          ...drawnStep,
          gapMs: Math.abs(drawnStep.gapMs),
        }));
        let all: BucketState | undefined;
        let admittedOnly: BucketState | undefined;
        follow({ policies, steps }, (request) => {
          const decision = decideTokenBucket(all, request);
          all = decision.state;
          if (decision.allowed && request.cost > 0) {
            admittedOnly = decideTokenBucket(admittedOnly, request).state;
          }
          expect(all).toEqual(admittedOnly);
        });
      }),
    );
  });

  it('decides a burst, a refusal and the wait as worked out by hand', () => {
    // 100 per minute is 5/3 microtokens a microsecond; one token takes 600 ms.
    let bucket: BucketState | undefined;
    for (let count = 0; count < 20; count += 1) bucket = ask(bucket, 1, EPOCH_MS).state;
    const refused = ask(bucket, 1, EPOCH_MS + 1);
    expect(refused).toMatchObject({ allowed: false, reason: 'rate-limited', remaining: 0 });
    expect(refused.retryAfterMs).toBe(599);
    expect(refused.resetMs).toBe(11_999);
    expect(refused.state).toBe(bucket);
    expect(ask(bucket, 1, EPOCH_MS + 600).allowed).toBe(true);
  });

  it('holds its time while the clock is behind, and counts the wait on top', () => {
    const empty = ask(undefined, 20, EPOCH_MS).state;
    const behind = ask(empty, 1, EPOCH_MS - 1000);
    expect(behind).toMatchObject({ isClamped: true, retryAfterMs: 1600, written: false });
  });

  it('takes the present as its time when the clock is behind by more than a full refill', () => {
    const empty = ask(undefined, 20, EPOCH_MS).state;
    const edge = ask(empty, 1, EPOCH_MS - 12_000);
    expect(edge.isClamped).toBe(true);
    const beyond = ask(empty, 1, EPOCH_MS - 12_001);
    expect(beyond).toMatchObject({ isReanchored: true, retryAfterMs: 600, written: true });
    expect(beyond.state).toMatchObject({ lastMs: EPOCH_MS - 12_001, units: 0 });
  });

  it('moves the level by the difference when a newer revision comes', () => {
    const larger = createBucketParameters({ tokens: 200, periodMs: 60_000, capacity: 30 });
    const used = ask(undefined, 15, EPOCH_MS).state;
    expect(ask(used, 0, EPOCH_MS, larger, 2)).toMatchObject({ remaining: 15, written: false });
    expect(ask(used, 16, EPOCH_MS, larger, 2)).toMatchObject({ allowed: false, written: true });
    const raised = ask(used, 15, EPOCH_MS, larger, 2);
    expect(raised.state).toMatchObject({ units: 0, revision: 2, parameters: larger });
    // The older replica is decided under what is stored.
    expect(ask(raised.state, 1, EPOCH_MS + 300, minute, 1)).toMatchObject({ allowed: true });
    // And a lower limit again takes what is there, never more.
    expect(ask(raised.state, 1, EPOCH_MS, minute, 3).state).toMatchObject({ units: 0 });
  });

  it('keeps the stored parameters under the same revision', () => {
    const other = createBucketParameters({ tokens: 1, periodMs: 1000, capacity: 500 });
    const used = ask(undefined, 15, EPOCH_MS).state;
    expect(ask(used, 6, EPOCH_MS, other, 1)).toMatchObject({ allowed: false, isRevised: false });
  });

  it('refuses a cost above capacity without a wait', () => {
    expect(ask(undefined, 21, EPOCH_MS)).toMatchObject({
      allowed: false,
      reason: 'cost-exceeds-capacity',
      retryAfterMs: undefined,
      state: undefined,
    });
  });

  it('loses no fraction however often it is asked', () => {
    const slow = createBucketParameters({ tokens: 1, periodMs: 7000, capacity: 2 });
    let bucket = ask(undefined, 2, EPOCH_MS, slow).state;
    let admitted = 0;
    for (let nowMs = EPOCH_MS + 1; nowMs <= EPOCH_MS + 70_000; nowMs += 1) {
      const decision = ask(bucket, 1, nowMs, slow);
      bucket = decision.state;
      if (decision.allowed) admitted += 1;
    }
    expect(admitted).toBe(10);
  });
});
