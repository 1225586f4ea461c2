import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Request, requestSchema } from '../../sim/scenario/scenario.ts';
import { requestsArbitrary } from './requests.ts';

const arbitrary = requestsArbitrary({ tenants: 3, costMin: 0, lengthMax: 40 });

describe('requestsArbitrary', () => {
  it('gives requests that the schema accepts, with unique ids', () => {
    for (const requests of fc.sample(arbitrary, { seed: 1, numRuns: 50 })) {
      for (const request of requests) expect(requestSchema.parse(request)).toEqual(request);
      expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
    }
  });

  it('shrinks to the requests that matter and leaves their ids as they were', () => {
    let drawn: readonly number[] | undefined;
    const needsThreeOfCost2 = (requests: readonly Request[]): boolean => {
      const holds = requests.filter(({ cost }) => cost >= 2).length < 3;
      if (!holds) drawn ??= requests.map(({ id }) => id);
      return holds;
    };
    const { counterexample } = fc.check(fc.property(arbitrary, needsThreeOfCost2), { seed: 5 });
    const [smallest = []] = counterexample ?? [];
    // The library never takes the last element away alone, so one may be left over.
    expect(smallest.length).toBeLessThanOrEqual(4);
    expect(smallest.filter(({ cost }) => cost > 0).map(({ cost }) => cost)).toEqual([2, 2, 2]);
    for (const { atUs } of smallest) expect(atUs).toBe(0);
    for (const { id } of smallest) expect(drawn).toContain(id);
  });

  it('shrinks a list without its context, as one from a file', () => {
    const [sample = []] = fc.sample(requestsArbitrary({ lengthMin: 8 }), { seed: 3, numRuns: 1 });
    const stored = JSON.parse(JSON.stringify(sample));
    expect(arbitrary.canShrinkWithoutContext(stored)).toBe(true);
    const next = arbitrary.shrink(stored, undefined).getNthOrLast(0);
    expect(next?.value.length).toBeLessThan(stored.length);
  });
});
