import { expect, it } from 'vitest';
import { formatCount, formatTable } from './table.ts';

it('separates thousands', () => {
  expect([0, 999, 1000, 1234567.4].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
});

it('lines columns up by their widest cell and leaves no trailing spaces', () => {
  const columns = [
    { title: 'name', align: 'left' },
    { title: 'n', align: 'right' },
    { title: '', align: 'left' },
  ] as const;
  expect(
    formatTable(columns, [
      ['a', '10', ''],
      ['longer', '5', 'x'],
    ]),
  ).toEqual(['name     n', 'a       10', 'longer   5  x']);
});
