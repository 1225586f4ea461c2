import { describe, expect, it } from 'vitest';
import { Cause, definePurpose } from './cause.ts';
import { Kernel } from './kernel.ts';
import { KeyedRandom } from './random.ts';

const FIRST = definePurpose('test.first');
const SECOND = definePurpose('test.second');

function drawMany(seed: number, causes: readonly number[], each: number): Map<number, number[]> {
  const random = new KeyedRandom(seed);
  const draws = new Map<number, number[]>();
  for (const id of causes) {
    const cause = new Cause(id);
    draws.set(
      id,
      Array.from({ length: each }, () => random.draw(cause, FIRST)),
    );
  }
  return draws;
}

describe('keyed randomness', () => {
  it('leaves every other draw as it was when one cause is removed', () => {
    const all = drawMany(7, [1, 2, 3, 4, 5], 10);
    const fewer = drawMany(7, [1, 2, 4, 5], 10);
    for (const [id, draws] of fewer) expect(draws).toEqual(all.get(id));
  });

  it('leaves the draws of one purpose as they were when another purpose draws more', () => {
    const random = new KeyedRandom(7);
    const plain = new Cause(1);
    const busy = new Cause(1);
    const expected = [random.draw(plain, FIRST), random.draw(plain, FIRST)];
    const actual = [0, 1].map(() => {
      random.draw(busy, SECOND);
      return random.draw(busy, FIRST);
    });
    expect(actual).toEqual(expected);
  });

  it('differs between seeds, causes, purposes and ordinals', () => {
    const drawn = new Set<number>();
    for (const seed of [1, 2]) {
      const random = new KeyedRandom(seed);
      for (const id of [1, 2, 0x8000_0001]) {
        const cause = new Cause(id);
        for (const purpose of [FIRST, SECOND]) {
          for (let ordinal = 0; ordinal < 50; ordinal += 1) drawn.add(random.draw(cause, purpose));
        }
      }
    }
    expect(drawn.size).toBe(2 * 3 * 2 * 50);
  });

  it('is uniform over causes and over ordinals', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const overCauses = [...drawMany(3, many, 1).values()].flat();
    const overOrdinals = drawMany(3, [1], 20_000).get(1) ?? [];
    for (const draws of [overCauses, overOrdinals]) {
      const bins = new Array<number>(20).fill(0);
      for (const draw of draws)
        bins[Math.floor(draw * 20)] = (bins[Math.floor(draw * 20)] ?? 0) + 1;
      const chiSquare = bins.reduce((sum, bin) => sum + (bin - 1000) ** 2 / 1000, 0);
      // 19 degrees of freedom: 43.8 is exceeded by chance once in a thousand.
      expect(chiSquare).toBeLessThan(43.8);
    }
  });

  it('draws exponential numbers with the mean it was given', () => {
    const kernel = new Kernel({ seed: 1 });
    let sum = 0;
    for (let index = 0; index < 20_000; index += 1) sum += kernel.drawExponential(FIRST, 500);
    expect(sum / 20_000).toBeGreaterThan(485);
    expect(sum / 20_000).toBeLessThan(515);
  });

  it('keys purposes by name and not by the order in which they were defined', () => {
    expect(definePurpose('test.first')).toBe(FIRST);
    expect(FIRST.hash).not.toBe(SECOND.hash);
    expect(new KeyedRandom(1).draw(new Cause(1), FIRST)).toBe(0.5965546618993091);
  });
});
