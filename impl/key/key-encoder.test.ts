import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePolicies } from '../policy/parse-policies.ts';
import type { Dimension } from '../policy/schema.ts';
import { encodePart } from './encode-part.ts';
import { createKeyEncoder } from './key-encoder.ts';

const createEncoder = (key: Dimension[], route?: string) => {
  const match = route === undefined ? {} : { route };
  const [limit] = parsePolicies({ limits: [{ id: 'a', key, rate: '1/s', match }] }).limits;
  if (limit === undefined) throw new Error('Expected a limit.');
  return createKeyEncoder('weir', limit);
};

/** Everything that could be mistaken for a part of the key, and what encodings tend to merge. */
const value = fc.oneof(
  fc.constantFrom(
    '',
    '%',
    '%%',
    ':',
    '{}',
    '}',
    '%003a',
    '-',
    'undefined',
    '\ud800',
    '\ud801',
    'é',
  ),
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.string({ minLength: 120, maxLength: 140 }),
);
const part = fc.option(value, { nil: undefined });

describe('a key', () => {
  it('is prefix, tenant as hash tag, limit, state version and the other dimensions', () => {
    const encode = createEncoder(['user', 'tenant', 'method']);
    expect(encode({ tenant: 'acme', user: 'u:1', method: 'get' })).toMatch(
      /^weir:\{acme\}:a:[0-9a-f]{8}:u%003a1:GET$/,
    );
    expect(encode({})).toMatch(/^weir:\{%\}:a:[0-9a-f]{8}:%:%$/);
  });

  it('has an empty hash tag when the limit is not kept by tenant', () => {
    const encode = createEncoder(['user']);
    expect(encode({ tenant: 'acme', user: 'u' })).toMatch(/^weir:\{\}:a:[0-9a-f]{8}:u$/);
  });

  it('differs whenever a dimension differs', () => {
    const encode = createEncoder(['tenant', 'user', 'operation', 'token']);
    const descriptor = fc.record({ tenant: part, user: part, operation: part, token: part });
    fc.assert(
      fc.property(descriptor, descriptor, (first, second) => {
        const isSame = Object.entries(first).every(
          ([name, text]) => text === Reflect.get(second, name),
        );
        expect(encode(first) === encode(second)).toBe(isSame);
      }),
      { numRuns: 2000 },
    );
  });

  it('is short printable ASCII with one pair of braces, whatever a client sends', () => {
    const encode = createEncoder(['tenant', 'user', 'route']);
    const descriptor = fc.record({ tenant: part, user: part, route: part });
    fc.assert(
      fc.property(descriptor, (names) => {
        expect(encode(names)).toMatch(/^weir:\{[!-z~|]+\}:a:[!-z~|]+$/);
      }),
    );
    expect(encode({ user: 'x'.repeat(100_000) }).length).toBeLessThan(100);
  });

  it('never shows a token', () => {
    expect(createEncoder(['token'])({ token: 'secret' })).not.toContain('secret');
  });

  it('has the template for a route, or the normalised path where there is none', () => {
    const templated = createEncoder(['route'], '/orders/:id');
    expect(templated({ route: '/orders/1' })).toBe(templated({ route: '//orders/2/' }));
    const open = createEncoder(['route']);
    expect(open({ route: '/orders/1' })).toBe(open({ route: '//orders/./1/?x' }));
    expect(open({ route: '/orders/1' })).not.toBe(open({ route: '/orders/2' }));
  });

  it('has one form for the addresses of one network', () => {
    const encode = createEncoder(['address']);
    expect(encode({ address: '2001:db8::1' })).toBe(encode({ address: '2001:DB8::ffff' }));
    expect(encode({ address: '::ffff:1.2.3.4' })).toBe(encode({ address: '1.2.3.4' }));
    expect(encode({ address: '1.2.3.4' })).not.toBe(encode({ address: '1.2.3.5' }));
  });

  it('refuses a part that is no string', () => {
    expect(() => encodePart(JSON.parse('7'))).toThrow('Expected each part of the descriptor');
  });
});
