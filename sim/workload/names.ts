// Names of simulated tenants and users. Plain ones read well in a trace. Awkward ones are made of
// separators, escapes and brackets, so that a key encoding that joins without escaping gives two
// different clients one bucket: tenant `a` with user `b:c` meets tenant `a:b` with user `c`, and user
// `b` asking for `/x:/y` meets user `b:/x` asking for `/y`.

export type NameStyle = 'plain' | 'awkward';

const awkwardTenants = [
  'a',
  'a:b',
  'a|b',
  'a/b',
  'a}',
  '{a}',
  'a%3Ab',
  'a b',
  'é✓',
  'A',
  'a\\:b',
  '',
];
const awkwardUsers = ['c', 'b:c', 'b', 'b:/x', 'b|c', '}c', '{c}', 'b%3Ac', 'b c', 'ü', 'B', ''];
const awkwardPaths = ['/x:/y', '/y', '/', '/x', '/x|/y', '/a%3Ab'];

/** The name of the tenant with this index, from 0. */
export function tenantName(index: number, style: NameStyle = 'plain'): string {
  return style === 'plain' ? `tenant-${index + 1}` : pickAwkward(awkwardTenants, index);
}

/** The name of the user with this index within a tenant, from 0. */
export function userName(index: number, style: NameStyle = 'plain'): string {
  return style === 'plain' ? `user-${index + 1}` : pickAwkward(awkwardUsers, index);
}

/** A path for limits that accept any. */
export function pathName(index: number, style: NameStyle = 'plain'): string {
  return style === 'plain' ? '/' : (awkwardPaths[index % awkwardPaths.length] ?? '/');
}

function pickAwkward(pool: readonly string[], index: number): string {
  const name = pool[index % pool.length] ?? '';
  const round = Math.floor(index / pool.length);
  return round === 0 ? name : `${name}:${round}`;
}
