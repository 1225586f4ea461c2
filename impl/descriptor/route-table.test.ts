import { describe, expect, it } from 'vitest';
import { createRouteTable } from './route-table.ts';

const findIn = (routes: readonly string[], path: string) =>
  createRouteTable(routes.map((route) => ({ method: undefined, route }))).find('GET', path)?.route;

describe('a route table', () => {
  it('prefers file order over a closer fit, and a literal first segment changes nothing', () => {
    expect(findIn(['/:a/b', '/x/b'], '/x/b')).toBe('/:a/b');
    expect(findIn(['/x/b', '/:a/b'], '/x/b')).toBe('/x/b');
    expect(findIn(['/x/b', '/:a/b'], '/y/b')).toBe('/:a/b');
    expect(findIn(['/*', '/x'], '/x')).toBe('/*');
  });

  it('lets a parameter stand for exactly one segment', () => {
    expect(findIn(['/a/:id'], '/a')).toBeUndefined();
    expect(findIn(['/a/:id'], '/a/1/2')).toBeUndefined();
    expect(findIn(['/:id'], '/')).toBeUndefined();
    expect(findIn(['/a/:id'], '/a/%2F')).toBe('/a/:id');
  });

  it('lets a last star stand for anything at or below', () => {
    for (const path of ['/a', '/a/b', '/a/b/c']) expect(findIn(['/a/*'], path)).toBe('/a/*');
    expect(findIn(['/a/*'], '/ab')).toBeUndefined();
    expect(findIn(['/*'], '/')).toBe('/*');
  });

  it('takes literal characters literally', () => {
    expect(findIn(['/a.b'], '/axb')).toBeUndefined();
    expect(findIn(['/a.b/:c'], '/axb/1')).toBeUndefined();
    expect(findIn(['/a+(b)/:c'], '/a+(b)/1')).toBe('/a+(b)/:c');
    expect(findIn(['/__proto__'], '/__proto__')).toBe('/__proto__');
    expect(findIn(['/a'], '/constructor')).toBeUndefined();
  });
});
