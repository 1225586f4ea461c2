import { expect, it } from 'vitest';
import { isDue } from './extra.ts';

it('puts about one seed in thirty-two to an extra property, others for another one', () => {
  const due = (name: string) =>
    Array.from({ length: 2000 }, (_, seed) => seed).filter((seed) => isDue(name, seed));
  const first = due('tenant-names-change-nothing');
  const second = due('client-clocks-change-nothing');
  expect(first.length).toBeGreaterThan(35);
  expect(first.length).toBeLessThan(95);
  expect(second.length).toBeGreaterThan(35);
  expect(second.length).toBeLessThan(95);
  expect(second.filter((seed) => first.includes(seed)).length).toBeLessThan(15);
});
