import { expect, it } from 'vitest';
import { isDue } from './relation.ts';

it('puts about one seed in `every` to a relation, others for another relation', () => {
  const due = (name: string) =>
    Array.from({ length: 2000 }, (_, seed) => seed).filter((seed) => isDue({ name, every: 20 }, seed));
  const first = due('renamed-tenants');
  const second = due('skewed-clocks');
  expect(first.length).toBeGreaterThan(60);
  expect(first.length).toBeLessThan(140);
  expect(second).not.toEqual(first);
});
