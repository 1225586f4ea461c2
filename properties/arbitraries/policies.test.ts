import { describe, expect, it } from 'vitest';
import { parsePolicies } from '../../impl/index.ts';
import { type PolicyDocument, readPolicyDocument } from './policies.ts';
import { changePolicies } from './policy-change.ts';
import { drawScenario } from './scenario.ts';

const scenarios = Array.from({ length: 500 }, (_, index) => drawScenario(index + 1));
const documents = scenarios.flatMap(({ policies, faults }) => [
  policies,
  ...faults.flatMap((fault) => (fault.kind === 'policy-change' ? [fault.policies] : [])),
]);

describe('drawn policies', () => {
  it('are accepted by the limiter, the changed ones too', () => {
    expect(documents.length).toBeGreaterThan(550);
    for (const document of documents) expect(() => parsePolicies(document)).not.toThrow();
  });

  it('reach from one token in thirty days to a million a second and from 0 to 10^9 at once', () => {
    const buckets = documents.flatMap((document) => parsePolicies(document).limits);
    const rates = buckets.map(({ rate }) => rate.tokens / rate.periodMs);
    expect(Math.min(...rates)).toBe(0);
    expect(Math.min(...rates.filter((rate) => rate > 0))).toBeLessThan(1e-8);
    expect(Math.max(...rates)).toBeGreaterThan(100);
    const bursts = buckets.map(({ burst }) => burst);
    expect(bursts).toContain(0);
    expect(bursts).toContain(1);
    expect(Math.max(...bursts)).toBeGreaterThan(1e8);
    // Level times denominator beyond 2^53: what a careless product would get wrong.
    const products = buckets.map(({ burst, bucket }) => burst * 1e6 * (bucket?.den ?? 0));
    expect(products.filter((product) => product > 2 ** 53).length).toBeGreaterThan(20);
  });
});

describe('changePolicies', () => {
  const before: PolicyDocument = readPolicyDocument({
    revision: 4,
    limits: [
      { id: 'a', key: ['tenant'], rate: '10/min', burst: 5, protects: 'x' },
      { id: 'b', key: ['tenant'], rate: '0/min' },
    ],
  });

  it('changes one limit under a newer revision and keeps all else', () => {
    const after = changePolicies(before, { victim: 0, variant: 0, severity: 0.5 });
    expect(after).toEqual({
      ...before,
      revision: 5,
      limits: [{ ...before.limits[0], burst: 10 }, before.limits[1]],
    });
  });

  it('leaves a limit alone that cannot be raised', () => {
    const edge = { limits: [{ id: 'a', key: ['tenant'], rate: '9000/999983ms', burst: 20_000 }] };
    const after = changePolicies(edge, { victim: 0, variant: 2, severity: 1 });
    expect(after).toEqual({ ...edge, revision: 2 });
  });

  it('changes the period alone, or keeps the revision', () => {
    const period = changePolicies(before, { victim: 0, variant: 3, severity: 0 });
    expect(period.limits[0]).toEqual({ ...before.limits[0], rate: '10/h' });
    expect(changePolicies(before, { victim: 0, variant: 4, severity: 1 }).revision).toBe(4);
  });

  it('rolls one change in six back, to the document before it', () => {
    const rolledBack = Array.from({ length: 300 }, (_, index) => drawScenario(index + 1))
      .map(({ policies, faults }) => [
        policies,
        ...faults.flatMap((fault) => (fault.kind === 'policy-change' ? [fault.policies] : [])),
      ])
      .filter((documents) =>
        documents.some((document, index) => document === documents[index - 2]),
      );
    expect(rolledBack.length).toBeGreaterThan(3);
  });
});
