import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedSet } from './sorted-set.ts';

const member = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const score = fc.integer({ min: -3, max: 3 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), member, score }),
  fc.record({ kind: fc.constant('delete' as const), member, score }),
);

describe('SortedSet', () => {
  it('is a map of scores, ordered by score and then by member', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), score, (steps, bound) => {
        const set = new SortedSet();
        const map = new Map<string, number>();
        for (const { kind, member: name, score: value } of steps) {
          if (kind === 'set') {
            set.set(name, value);
            map.set(name, value);
          } else {
            expect(set.delete(name)).toBe(map.delete(name));
          }
        }
        const wanted = [...map].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
        expect(set.items().map((item) => [item.member, item.score])).toEqual(wanted);
        for (const [rank, [name]] of wanted.entries()) expect(set.rankOf(name)).toBe(rank);
        const below = wanted.filter(([, value]) => value < bound).length;
        const upTo = wanted.filter(([, value]) => value <= bound).length;
        expect(set.countBelowMin({ score: bound, isExclusive: false })).toBe(below);
        expect(set.countBelowMin({ score: bound, isExclusive: true })).toBe(upTo);
        expect(set.countUpToMax({ score: bound, isExclusive: false })).toBe(upTo);
        expect(set.countUpToMax({ score: bound, isExclusive: true })).toBe(below);
        expect(set.removeBetween(0, below)).toBe(below);
        expect(set.items().map((item) => item.member)).toEqual(
          wanted.slice(below).map(([name]) => name),
        );
      }),
    );
  });
});
