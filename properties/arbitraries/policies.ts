// Policy documents with token buckets of every size: from one token in thirty days to a million a
// second, bursts from none to a thousand million, limits of zero. Every document drawn is one the
// limiter accepts; what it refuses belongs to its own tests.

import * as fc from 'fast-check';
import { z } from 'zod';
import { logInteger, pick, weighted } from './draws.ts';

const documentSchema = z.looseObject({
  revision: z.int().optional(),
  limits: z
    .array(z.looseObject({ id: z.string(), rate: z.string(), burst: z.int().optional() }))
    .min(1),
});

/** As much of a policy document as drawing traffic and changes needs; the rest is kept as it is. */
export type PolicyDocument = z.infer<typeof documentSchema>;
export type LimitDocument = PolicyDocument['limits'][number];

/** Reads a document that the limiter has already accepted. */
export function readPolicyDocument(policies: unknown): PolicyDocument {
  return documentSchema.parse(policies);
}

const unitMs = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitMs;

export interface Rate {
  readonly tokens: number;
  readonly count: number;
  readonly unit: Unit;
}

export function formatRate(rate: Rate): string {
  return `${rate.tokens}/${rate.count === 1 ? '' : rate.count}${rate.unit}`;
}

const familiar = fc.record({
  tokens: fc.constantFrom(1, 2, 5, 10, 20, 30, 60, 100, 200, 600, 1000),
  count: fc.constant(1),
  unit: weighted<Unit>([3, 's'], [4, 'min'], [1, 'h']),
});

/** Fractions that do not come out even, so that every refill leaves a remainder. */
const odd = fc.record({
  tokens: logInteger(1, 1000),
  count: fc.constantFrom(1, 3, 7, 11, 13, 17, 59, 101, 997),
  unit: weighted<Unit>([1, 'ms'], [5, 's'], [1, 'min']),
});

/** So slow that a poll refills less than a microtoken. */
const slow = fc.record({
  tokens: fc.integer({ min: 1, max: 10 }),
  count: fc.integer({ min: 1, max: 30 }),
  unit: fc.constant<Unit>('d'),
});

const fast = fc.record({
  tokens: logInteger(1000, 1_000_000),
  count: fc.constant(1),
  unit: fc.constant<Unit>('s'),
});

const zero = fc.record({
  tokens: fc.constant(0),
  count: fc.constant(1),
  unit: fc.constant<Unit>('min'),
});

export const rateArbitrary: fc.Arbitrary<Rate> = fc.oneof(
  { weight: 9, arbitrary: familiar },
  { weight: 5, arbitrary: odd },
  { weight: 3, arbitrary: slow },
  { weight: 2, arbitrary: fast },
  { weight: 1, arbitrary: zero },
);

const burstArbitrary: fc.Arbitrary<number | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 6, arbitrary: fc.integer({ min: 6, max: 50 }) },
  { weight: 2, arbitrary: logInteger(51, 10_000) },
  { weight: 1, arbitrary: logInteger(10_001, 1_000_000_000) },
  { weight: 1, arbitrary: fc.constant(0) },
);

/** No bucket takes longer than this to fill: about thirty years. */
const fullMsMax = 1e12;

interface Bucket {
  readonly rate: Rate;
  readonly burst: number | undefined;
}

/** Periods that share no factor with a million, and levels whose products with them pass 2^53. */
const broad: fc.Arbitrary<Bucket> = fc.record({
  rate: fc.record({
    tokens: logInteger(100, 5000),
    count: fc.constantFrom(999_983, 604_801),
    unit: fc.constant<Unit>('ms'),
  }),
  burst: logInteger(20_000, 1_000_000_000),
});

const bucketArbitrary: fc.Arbitrary<Bucket> = fc.oneof(
  { weight: 11, arbitrary: fc.record({ rate: rateArbitrary, burst: burstArbitrary }) },
  { weight: 1, arbitrary: broad },
);

const limitArbitrary = fc.record({
  bucket: bucketArbitrary,
  // Every key has the tenant: without it tenants would share a budget, and that they do not is one
  // of the properties.
  key: weighted(
    [5, ['tenant', 'user']],
    [3, ['tenant']],
    [1, ['user', 'tenant']],
    [2, ['tenant', 'user', 'route']],
  ),
  namesAlgorithm: fc.boolean(),
});

/** Routes no two of which overlap, so that every limit gets the traffic meant for it. */
const matches = [
  { method: 'GET', route: '/items/:id' },
  { method: 'POST', route: '/items' },
  { route: '/search' },
  { method: 'DELETE', route: '/items/:id/parts/:part' },
];

/** A policy document of one to four limits. */
export const policiesArbitrary: fc.Arbitrary<PolicyDocument> = fc
  .record({
    revision: weighted([3, undefined], [1, 1], [1, 7]),
    limits: fc.array(limitArbitrary, { minLength: 1, maxLength: 4, size: 'max' }),
    endsOpen: weighted([2, false], [1, true]),
  })
  .map(({ revision, limits, endsOpen }) => ({
    ...(revision === undefined ? {} : { revision }),
    limits: limits.map(({ bucket: { rate, burst }, key, namesAlgorithm }, index) => ({
      id: `limit-${index + 1}`,
      // The last limit may take all that comes so far; its paths are then whatever clients ask for.
      ...(endsOpen && index === limits.length - 1 ? {} : { match: pick(matches, index) }),
      key,
      ...(namesAlgorithm ? { algorithm: 'token-bucket' } : {}),
      rate: formatRate(rate),
      ...(burst === undefined ? {} : { burst: boundBurst(rate, burst) }),
    })),
  }));

function boundBurst(rate: Rate, burst: number): number {
  if (rate.tokens === 0) return burst;
  const tokensPerMs = rate.tokens / (rate.count * unitMs[rate.unit]);
  return Math.min(burst, Math.max(1, Math.floor(fullMsMax * tokensPerMs)));
}

/** The bucket's capacity: its burst, or the tokens its rate names. */
export function capacityOf(limit: LimitDocument): number {
  return limit.burst ?? Number.parseInt(limit.rate, 10);
}
