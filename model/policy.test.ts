import { describe, expect, it } from 'vitest';
import { findLimit, identifyBucket, readPolicies } from './policy.ts';
import { parseRate } from './rate.ts';
import { isRouteMatch, splitPath } from './route.ts';

const request = { tenant: 'a', user: 'u', method: 'GET', path: '/orders/7' };

const policies = readPolicies({
  revision: 3,
  limits: [
    {
      id: 'read',
      match: { method: 'GET', route: '/orders/:id' },
      key: ['tenant', 'user'],
      rate: '100/min',
      burst: 20,
    },
    { id: 'orders', match: { route: '/orders/:id' }, key: ['tenant', 'route'], rate: '5/10s' },
    { id: 'none', match: { route: '/closed' }, key: [], rate: '0/min' },
  ],
});

describe('reading policies', () => {
  it('reads every way to write a rate', () => {
    const read = (text: string) => {
      const { tokens, periodMs } = parseRate(text);
      return [tokens, periodMs];
    };
    expect(read('100/min')).toEqual([100, 60_000]);
    expect(read('5/10s')).toEqual([5, 10_000]);
    expect(read('1/30d')).toEqual([1, 2_592_000_000]);
    expect(read('7/250ms')).toEqual([7, 250]);
    expect(read('2/sec')).toEqual([2, 1000]);
    expect(read('3/hour')).toEqual([3, 3_600_000]);
    expect(read('3/2h')).toEqual([3, 7_200_000]);
    expect(read('9/day')).toEqual([9, 86_400_000]);
    expect(() => parseRate('100 per minute')).toThrow('Expected a rate such as 100/min');
  });

  it('takes the first limit in file order that matches', () => {
    expect(findLimit(policies, request)?.id).toBe('read');
    expect(findLimit(policies, { ...request, method: 'POST' })?.id).toBe('orders');
    expect(findLimit(policies, { ...request, path: '/orders' })).toBeUndefined();
  });

  it('takes the burst as capacity, and the rate where there is none', () => {
    const [read, orders, none] = policies.limits;
    expect(read?.parameters).toMatchObject({ capacity: 20, num: 5000, den: 3 });
    expect(orders?.parameters).toMatchObject({ capacity: 5, num: 500, den: 1 });
    expect(none?.parameters).toBeUndefined();
  });

  it('gives different descriptors different buckets, however they are joined', () => {
    const [read] = policies.limits;
    if (read === undefined) throw new Error('Expected a limit.');
    const first = identifyBucket(read, { ...request, tenant: 'a', user: 'b:user:c' });
    expect(identifyBucket(read, { ...request, tenant: 'a:user:b', user: 'c' })).not.toBe(first);
    expect(
      identifyBucket(read, { ...request, tenant: 'a', user: 'b:user:c', path: '/orders/8' }),
    ).toBe(first);
  });

  it('counts a matched template as one route', () => {
    const [, orders] = policies.limits;
    if (orders === undefined) throw new Error('Expected a limit.');
    const first = identifyBucket(orders, { ...request, path: '/orders/1' });
    expect(identifyBucket(orders, { ...request, path: '/orders//2/' })).toBe(first);
  });

  it('makes one path of its spellings', () => {
    for (const path of [
      '/a/b',
      '//a///b/',
      '/a/./b',
      '/a/c/../b',
      '/%61/b',
      '/a/b?c=1',
      '/a/b#d',
    ]) {
      expect(splitPath(path)).toEqual(['a', 'b']);
    }
    expect(splitPath('/a%2fb')).toEqual(['a%2Fb']);
    expect(splitPath('/../..')).toEqual([]);
    expect(isRouteMatch([':any'], [])).toBe(false);
  });
});
