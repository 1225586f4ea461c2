import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildMutant } from './load.ts';
import { mutants } from './mutants.ts';

describe('the mutants', () => {
  it('have names of their own that are fit for a folder, and a sentence each', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    for (const { name, sentence } of mutants) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });

  // Mutants are edits of built text: without a build there is nothing to edit.
  it.skipIf(!existsSync(new URL('../../dist/impl/limiter.js', import.meta.url)))(
    'all apply to the built limiter',
    () => {
      for (const mutant of mutants) {
        expect(existsSync(`${buildMutant(mutant)}/index.js`), mutant.name).toBe(true);
      }
    },
  );
});
