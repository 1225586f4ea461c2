import { describe, expect, it } from 'vitest';
import { normaliseRoute } from './normalise-route.ts';

describe('a route', () => {
  it.each([
    ['/orders/17', '/orders/17'],
    ['//orders///17/', '/orders/17'],
    ['/orders/./17', '/orders/17'],
    ['/x/../orders/17', '/orders/17'],
    ['/../../orders', '/orders'],
    ['/x/%2E%2e/orders', '/orders'],
    ['/%6frders/%31%37', '/orders/17'],
    ['/a%2fb', '/a%2Fb'],
    ['/a%2541', '/a%2541'],
    ['/a%zz%', '/a%zz%'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/orders?page=../..', '/orders'],
    ['/orders#top\n/x', '/orders'],
    ['orders', '/orders'],
    ['', '/'],
    ['/', '/'],
    ['?', '/'],
    ['/.well-known/x', '/.well-known/x'],
    ['/...', '/...'],
    ['/a;b=1,2', '/a;b=1,2'],
  ])('%j has the one spelling %j', (path, expected) => {
    expect(normaliseRoute(path)).toBe(expected);
    expect(normaliseRoute(expected)).toBe(expected);
  });

  it('takes time in proportion to its length', () => {
    const path = `/${'a.'.repeat(50_000)}%`;
    const startedMs = performance.now();
    normaliseRoute(path);
    normaliseRoute(`${'/..'.repeat(50_000)}?`);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });
});
