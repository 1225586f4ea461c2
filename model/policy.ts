// How the model reads a policy document: which limit decides a request, with which parameters, and
// which bucket it spends from. It trusts that the limiter has refused malformed documents. What the
// store calls its keys does not matter here: two requests share a bucket when this file says so.

import { type BucketParameters, createBucketParameters } from './bucket-parameters.ts';
import { parseRate } from './rate.ts';
import { isRouteMatch, splitPath } from './route.ts';

export interface PolicyReading {
  readonly revision: number;
  readonly limits: readonly LimitReading[];
}

export interface LimitReading {
  readonly id: string;
  readonly periodMs: number;
  readonly dimensions: readonly string[];
  readonly method: string | undefined;
  /** The route template's segments. */
  readonly route: readonly string[] | undefined;
  /** `undefined`: a rate or burst of zero, which refuses everything without asking the store. */
  readonly parameters: BucketParameters | undefined;
}

/** What is known of a request when limits are matched. */
export interface RequestDescriptor {
  readonly tenant: string;
  readonly user: string;
  readonly method: string;
  readonly path: string;
}

/** Reads a document in plain data. Throws one sentence when a part the model needs is not there. */
export function readPolicies(document: unknown): PolicyReading {
  const revision = field(document, 'revision') ?? 1;
  const limits = field(document, 'limits');
  if (typeof revision !== 'number' || !Array.isArray(limits)) {
    throw new Error('Expected a policy document with a numeric revision and a list of limits.');
  }
  return { revision, limits: limits.map(readLimit) };
}

/** The limit that decides: the first in file order whose method and route match. */
export function findLimit(
  policies: PolicyReading,
  request: RequestDescriptor,
): LimitReading | undefined {
  const segments = splitPath(request.path);
  return policies.limits.find(
    (limit) =>
      (limit.method === undefined || limit.method === request.method.toUpperCase()) &&
      (limit.route === undefined || isRouteMatch(limit.route, segments)),
  );
}

/**
 * The bucket's identity. Rate and burst are not part of it: they may change under a living bucket.
 * The period is, since another period makes another bucket.
 */
export function identifyBucket(limit: LimitReading, request: RequestDescriptor): string {
  let identity = `${limit.id}|${limit.periodMs}`;
  for (const name of limit.dimensions) {
    const value = readDimension(name, limit, request);
    // With its length, no value can pass for two.
    identity += value === null ? `|${name}` : `|${name} ${value.length} ${value}`;
  }
  return identity;
}

function readLimit(limit: unknown): LimitReading {
  const rate = parseRate(expectString(field(limit, 'rate'), 'rate'));
  const burst = field(limit, 'burst');
  const capacity = typeof burst === 'number' ? burst : rate.tokens;
  const match = field(limit, 'match');
  const method = field(match, 'method');
  const route = field(match, 'route');
  const key = field(limit, 'key');
  return {
    id: expectString(field(limit, 'id'), 'id'),
    periodMs: rate.periodMs,
    dimensions: Array.isArray(key) ? key.map((name) => expectString(name, 'key')) : [],
    method: typeof method === 'string' ? method.toUpperCase() : undefined,
    route: typeof route === 'string' ? splitPath(route) : undefined,
    parameters:
      rate.tokens === 0 || capacity === 0
        ? undefined
        : createBucketParameters({ ...rate, capacity }),
  };
}

/** A route is its template where the limit names one: `/orders/1` and `/orders/2` are one route. */
function readDimension(
  name: string,
  limit: LimitReading,
  request: RequestDescriptor,
): string | null {
  switch (name) {
    case 'tenant':
      return request.tenant;
    case 'user':
      return request.user;
    case 'method':
      return request.method.toUpperCase();
    case 'route':
      return `/${(limit.route ?? splitPath(request.path)).join('/')}`;
    default:
      return null;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function expectString(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`Expected ${name} of a limit to be a text, got ${JSON.stringify(value)}.`);
}
