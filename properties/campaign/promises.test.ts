import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { invariants } from '../invariants/index.ts';
import { marks } from '../reached.ts';
import { relations } from '../relations/relations.ts';
import { algorithms } from './promises.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it.each([...invariants, ...relations])('says what $name promises', ({ name, sentence }) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row?.endsWith(`| ${sentence} |`)).toBe(true);
  });

  it.each([...marks])('says when $name is reached', ({ name, sentence }) => {
    expect(readme).toContain(`| \`${name}\` | ${sentence} |`);
  });

  it.each([...algorithms])('says whether there is a model of %s', (name, { isModelled }) => {
    expect(readme).toContain(`| \`${name}\` | ${isModelled ? 'yes' : 'none yet'}: `);
  });
});
