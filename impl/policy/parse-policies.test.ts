import { describe, expect, it } from 'vitest';
import { PolicyError } from './error.ts';
import { parsePolicies } from './parse-policies.ts';

const limit = { id: 'read', key: ['tenant'], rate: '100/min' };

describe('policies', () => {
  it('are read from YAML, JSON and plain data alike', () => {
    const data = { revision: 4, limits: [{ ...limit, burst: 20 }] };
    const yaml =
      'revision: 4\nlimits:\n  - { id: read, key: [tenant], rate: 100/min, burst: 20 }\n';
    for (const source of [data, JSON.stringify(data), yaml]) {
      const set = parsePolicies(source);
      expect(set.revision).toBe(4);
      expect(set.limits).toMatchObject([
        { id: 'read', index: 0, burst: 20, bucket: { num: 5000, den: 3, capacity: 20 } },
      ]);
    }
  });

  it('take the whole document of an operator', () => {
    const set = parsePolicies(`
limits:
  - id: orders-read
    match: { method: get, route: "/orders/:id/" }
    key: [tenant, user]
    algorithm: token-bucket
    rate: 100/min
    burst: 20
    protects: orders database
    tolerance: exact
    onStoreFailure: { posture: closed, reason: money moves }
`);
    expect(set.revision).toBe(1);
    expect(set.limits).toMatchObject([{ method: 'GET', route: '/orders/:id' }]);
  });

  it('have the tokens of the rate as their burst unless told otherwise', () => {
    expect(parsePolicies({ limits: [limit] }).limits[0]?.burst).toBe(100);
  });

  it.each([{ rate: '0/min' }, { burst: 0 }])('keep no bucket for a limit of zero: %o', (zero) => {
    expect(parsePolicies({ limits: [{ ...limit, ...zero }] }).limits[0]?.bucket).toBeUndefined();
  });

  it('decide by the first limit in file order that matches', () => {
    const set = parsePolicies({
      limits: [
        { ...limit, id: 'one', match: { method: 'GET', route: '/orders/:id' } },
        { ...limit, id: 'two', match: { route: '/orders/special' } },
        { ...limit, id: 'three', match: { method: 'POST' } },
        { ...limit, id: 'four', match: { route: '/files/*' } },
        { ...limit, id: 'five' },
      ],
    });
    const find = (method: string | undefined, route: string | undefined) =>
      set.find(method, route)?.id;
    expect(find('GET', '/orders/17')).toBe('one');
    expect(find('get', '/orders//special/')).toBe('one');
    expect(find('DELETE', '/orders/special')).toBe('two');
    expect(find('POST', '/orders/17')).toBe('three');
    expect(find('GET', '/files')).toBe('four');
    expect(find('GET', '/files/a/b?c=/orders')).toBe('four');
    expect(find('GET', '/orders/17/lines')).toBe('five');
    expect(find(undefined, undefined)).toBe('five');
    expect(find('POST', undefined)).toBe('three');
  });

  describe('have a state version that', () => {
    const versionOf = (change: object) => {
      const [first] = parsePolicies({ limits: [{ ...limit, ...change }] }).limits;
      return first?.stateVersion;
    };

    it('stays when only rate, burst or id change, or the same period is written another way', () => {
      for (const same of [{ rate: '200/min' }, { burst: 5 }, { id: 'x' }, { rate: '1/60s' }]) {
        expect(versionOf(same)).toBe(versionOf({}));
      }
    });

    it('changes with the period and the dimensions', () => {
      const others = [
        { rate: '100/h' },
        { key: [] },
        { key: ['user'] },
        { key: ['tenant', 'user'] },
      ];
      const versions = [{}, ...others, { key: ['user', 'tenant'] }].map(versionOf);
      expect(new Set(versions).size).toBe(versions.length);
    });
  });

  it.each<[source: unknown, path: string, value: unknown, expected: string]>([
    [{ limits: [{ ...limit, rate: 'fast' }] }, 'limits[0].rate', 'fast', '100/min'],
    [{ limits: [{ ...limit, rate: 5 }] }, 'limits[0].rate', 5, '100/min'],
    [{ limits: [limit, { ...limit, id: 'b', burst: -1 }] }, 'limits[1].burst', -1, '0 or more'],
    [{ limits: [{ ...limit, burst: 1.5 }] }, 'limits[0].burst', 1.5, 'whole number'],
    [{ limits: [{ ...limit, burst: 1e10 }] }, 'limits[0].burst', 1e10, '9007199254'],
    [{ limits: [{ ...limit, rate: '9999999999/s' }] }, 'limits[0].rate', '9999999999/s', '2^53'],
    [{ limits: [limit, limit] }, 'limits[1].id', 'read', 'only once'],
    [{ limits: [{ ...limit, id: 'a b' }] }, 'limits[0].id', 'a b', 'a name of letters'],
    [{ limits: [{ key: [], rate: '1/s' }] }, 'limits[0].id', undefined, 'a name'],
    [{ limits: [{ ...limit, key: ['tenent'] }] }, 'limits[0].key[0]', 'tenent', 'one of tenant'],
    [{ limits: [{ ...limit, key: ['user', 'user'] }] }, 'limits[0].key', ['user', 'user'], 'once'],
    [{ limits: [{ id: 'a', rate: '1/s' }] }, 'limits[0].key', undefined, 'list of dimensions'],
    [{ limits: [{ ...limit, brust: 5 }] }, 'limits[0].brust', 5, 'no such field'],
    [{ limits: [{ ...limit, algorithm: 'gcra' }] }, 'limits[0].algorithm', 'gcra', 'token-bucket'],
    [
      { limits: [{ ...limit, match: { route: 'a' } }] },
      'limits[0].match.route',
      'a',
      '/orders/:id',
    ],
    [{ limits: [{ ...limit, match: { route: '/*/a' } }] }, 'limits[0].match.route', '/*/a', 'last'],
    [{ revision: 0, limits: [] }, 'revision', 0, 'positive'],
    [{ revision: 2 ** 53, limits: [] }, 'revision', 2 ** 53, 'positive'],
    [{}, 'limits', undefined, 'a list of limits'],
    [[], 'document', [], '"limits"'],
    ['', 'document', null, '"limits"'],
    ['limits: [', 'line 1, column 10', 'limits: [', 'YAML or JSON'],
    ['limits: []\nlimits: []', 'line 2, column 1', 'limits: []', 'unique'],
  ])('refuse %j at %s', (source, path, value, expected) => {
    const parse = () => parsePolicies(source, { file: 'limits.yaml' });
    expect(parse).toThrow(PolicyError);
    try {
      parse();
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid-policy', file: 'limits.yaml', path, value });
      expect(error).toHaveProperty('expected', expect.stringContaining(expected));
      const message = error instanceof Error ? error.message : '';
      expect(message).toMatch(/^limits\.yaml: .+ is .+, expected .+$/);
      expect(message).toContain(path);
    }
  });
});
