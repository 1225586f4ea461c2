// The traffic of a scenario. A sketch says what kind of stream, how much of the scenario's requests
// it gets and how concentrated it is; `buildStreams` fits it to the policies and the time there is.

import * as fc from 'fast-check';
import type { Request, Stream } from '../../sim/scenario/scenario.ts';
import { anyIndex, fraction, logInteger, pick, weighted } from './draws.ts';
import { capacityOf, type LimitDocument, type PolicyDocument } from './policies.ts';

type CostMode = 'one' | 'few' | 'with-peeks' | 'up-to-capacity' | 'scaled';

export interface StreamSketch {
  readonly kind: Stream['kind'];
  readonly limit: number;
  readonly share: number;
  readonly tenants: number;
  readonly users: number;
  readonly names: 'plain' | 'awkward';
  readonly cost: CostMode;
  readonly span: 'whole' | 'first-third' | 'middle' | 'last-third';
  readonly size: number;
  readonly gapMs: number;
  readonly skew: number;
  readonly retry: Request['retry'];
}

const retryArbitrary: fc.Arbitrary<Request['retry']> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('obey' as const),
      attempts: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('ignore' as const),
      attempts: fc.integer({ min: 1, max: 5 }),
      delayMs: logInteger(10, 2000),
    }),
  },
);

export const streamArbitrary: fc.Arbitrary<StreamSketch> = fc.record({
  kind: weighted<Stream['kind']>(
    [3, 'poisson'],
    [4, 'bursts'],
    [1, 'boundary'],
    [1, 'zipf'],
    [2, 'hot-key'],
    [2, 'looping-client'],
  ),
  limit: anyIndex,
  share: fc.integer({ min: 1, max: 10 }),
  tenants: weighted([4, 1], [4, 2], [1, 3], [1, 5]),
  users: weighted([5, 1], [4, 2], [1, 4]),
  names: weighted([3, 'plain'], [1, 'awkward']),
  cost: weighted<CostMode>(
    [6, 'one'],
    [2, 'few'],
    [1, 'with-peeks'],
    [1, 'up-to-capacity'],
    [2, 'scaled'],
  ),
  span: weighted<StreamSketch['span']>(
    [5, 'whole'],
    [1, 'first-third'],
    [1, 'middle'],
    [1, 'last-third'],
  ),
  size: logInteger(2, 60),
  gapMs: logInteger(1, 200),
  skew: fraction,
  retry: retryArbitrary,
});

/**
 * Streams that together make about `requests` requests within `horizonMs`. Their ids are their
 * places in the list, from 1.
 */
export function buildStreams(
  sketches: readonly StreamSketch[],
  policies: PolicyDocument,
  requests: number,
  horizonMs: number,
): Stream[] {
  const shares = sketches.reduce((sum, sketch) => sum + sketch.share, 0);
  return sketches.map((sketch, index) => {
    const limit = pick(policies.limits, sketch.limit);
    const count = Math.max(1, Math.round((requests * sketch.share) / shares));
    return buildStream(sketch, index + 1, limit, count, horizonMs);
  });
}

const spans = {
  whole: [0, 1],
  'first-third': [0, 1 / 3],
  middle: [1 / 3, 2 / 3],
  'last-third': [2 / 3, 1],
} as const;

function buildStream(
  sketch: StreamSketch,
  id: number,
  limit: LimitDocument,
  count: number,
  horizonMs: number,
): Stream {
  const [from, to] = spans[sketch.span];
  const startMs = Math.round(from * horizonMs);
  const endMs = Math.round(to * horizonMs);
  const spanMs = endMs - startMs;
  const base = {
    id,
    limit: limit.id,
    startMs,
    endMs,
    tenants: sketch.tenants,
    users: sketch.users,
    ...(sketch.names === 'plain' ? {} : { names: sketch.names }),
    cost: costRange(sketch.cost, capacityOf(limit)),
    ...(sketch.retry === undefined ? {} : { retry: sketch.retry }),
  };
  const ratePerSecond = Math.min(100_000, round3((count * 1000) / spanMs));
  const size = Math.min(sketch.size, count);
  switch (sketch.kind) {
    case 'poisson':
      return { kind: 'poisson', ...base, ratePerSecond };
    case 'zipf':
      // Many tenants, of which the first few still get enough to reach their limit.
      return {
        kind: 'zipf',
        ...base,
        tenants: sketch.tenants * 10,
        ratePerSecond,
        exponent: round3(0.8 + sketch.skew),
      };
    case 'hot-key':
      return { kind: 'hot-key', ...base, ratePerSecond, share: round3(0.5 + sketch.skew / 2) };
    case 'bursts':
      return { kind: 'bursts', ...base, size, everyMs: everyMs(spanMs, count / size) };
    case 'boundary': {
      const windowMs = Math.max(10, everyMs(spanMs, count / (2 * size)));
      const gapMs = Math.min(sketch.gapMs, Math.floor(windowMs / 3));
      return { kind: 'boundary', ...base, size, windowMs, gapMs };
    }
    case 'looping-client':
      return { kind: 'looping-client', ...base, everyMs: everyMs(spanMs, count) };
  }
}

function costRange(mode: CostMode, capacity: number): { min: number; max: number } {
  // Single tokens would never empty a bucket much larger than the traffic.
  const scaled = { min: 1, max: Math.max(1, Math.floor(capacity / 8)) };
  switch (mode) {
    case 'one':
      return capacity > 1000 ? scaled : { min: 1, max: 1 };
    case 'few':
      return capacity > 3000 ? scaled : { min: 1, max: 3 };
    case 'with-peeks':
      return { min: 0, max: Math.max(1, Math.floor(capacity / 20)) };
    case 'up-to-capacity':
      return { min: 0, max: capacity + 1 };
    case 'scaled':
      return scaled;
  }
}

function everyMs(spanMs: number, times: number): number {
  return Math.max(1, Math.round(spanMs / times));
}

function round3(value: number): number {
  return Math.max(0.001, Math.round(value * 1000) / 1000);
}
