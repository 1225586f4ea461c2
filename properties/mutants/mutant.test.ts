import { describe, expect, it } from 'vitest';
import { applyEdit, MutantError } from './mutant.ts';

const edit = { file: 'a.js', find: 'a >= b', replace: 'a > b' };

describe('an edit of a mutant', () => {
  it('replaces the one place it names and nothing else', () => {
    expect(applyEdit('m', edit, 'if (a >= b) return $&;')).toBe('if (a > b) return $&;');
  });

  it('is refused when the text no longer holds the place', () => {
    expect(() => applyEdit('m', edit, 'if (a > b) {}')).toThrow(MutantError);
    expect(() => applyEdit('m', edit, 'if (a > b) {}')).toThrow('mutant m: a.js: expected to find');
  });

  it('is refused when the place occurs twice, also when it overlaps itself', () => {
    expect(() => applyEdit('m', edit, 'a >= b; a >= b')).toThrow('more often');
    expect(() => applyEdit('m', { ...edit, find: 'aa' }, 'aaa')).toThrow('more often');
  });
});
