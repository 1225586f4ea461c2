// Lists of requests for properties under fast-check. They shrink natively and without a context: any
// list, also one read from a file, can be handed to the arbitrary's `shrink`. Ids do not shrink, so
// every draw that belongs to a request stays while others are taken away.

import * as fc from 'fast-check';
import type { Request } from '../../sim/scenario/scenario.ts';
import { tenantName, userName } from '../../sim/workload/names.ts';

export interface RequestsOptions {
  /** Default `GET`. */
  readonly method?: string;
  /** Default `/items/1` alone. */
  readonly paths?: readonly string[];
  /** How many tenants there are, and users of each. Default 2. */
  readonly tenants?: number;
  readonly users?: number;
  /** All requests are sent within this time. Default 60 000 ms. */
  readonly horizonMs?: number;
  /** Costs are drawn from `costMin` (default 1) to `costMax` (default 3). */
  readonly costMin?: number;
  readonly costMax?: number;
  /** Default 1 and 60. */
  readonly lengthMin?: number;
  readonly lengthMax?: number;
}

/** Ids are drawn from this many, all in the range that streams leave free. */
const idMax = 999_999;

/** Requests with unique ids, in no order; `materialise` sorts them. */
export function requestsArbitrary(options: RequestsOptions = {}): fc.Arbitrary<Request[]> {
  const { lengthMin = 1, lengthMax = 60 } = options;
  return fc.uniqueArray(requestArbitrary(options), {
    minLength: lengthMin,
    maxLength: lengthMax,
    size: 'max',
    selector: ({ id }) => id,
  });
}

function requestArbitrary(options: RequestsOptions): fc.Arbitrary<Request> {
  const { method = 'GET', paths = ['/items/1'], tenants = 2, users = 2 } = options;
  const { horizonMs = 60_000, costMin = 1, costMax = 3 } = options;
  return fc.record({
    id: fc.noShrink(fc.integer({ min: 1, max: idMax })),
    atUs: wholeMilliseconds(horizonMs),
    tenant: fc.constantFrom(...names(tenants, tenantName)),
    user: fc.constantFrom(...names(users, userName)),
    method: fc.constant(method),
    path: fc.constantFrom(...paths),
    cost: fc.integer({ min: costMin, max: costMax }),
    gateway: fc.nat(4),
  });
}

/** Microseconds; the way back is what makes a value shrinkable without a context. */
function wholeMilliseconds(maxMs: number): fc.Arbitrary<number> {
  return fc.nat(maxMs).map(
    (ms) => ms * 1000,
    (us) => {
      if (typeof us !== 'number') throw new Error(`Expected microseconds, got ${String(us)}.`);
      return us / 1000;
    },
  );
}

function names(count: number, name: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => name(index));
}
