import { describe, expect, it } from 'vitest';
import { StoreClock } from './store-clock.ts';

describe("the store's clock", () => {
  it('has gained what it was set forward, and lost nothing by going back', () => {
    const clock = new StoreClock();
    clock.step(5000, 1_000_000);
    clock.step(-8000, 2_000_000);
    clock.step(100, 3_000_000);
    expect(clock.gainMs(4_000_000)).toBe(5100);
  });

  it('gains while it runs fast, and not while it runs slow', () => {
    const clock = new StoreClock();
    clock.setDrift(1000, 0);
    expect(clock.gainMs(10_000_000)).toBeCloseTo(10);
    clock.setDrift(-5000, 10_000_000);
    expect(clock.gainMs(90_000_000)).toBeCloseTo(10);
  });

  it('has stood wherever it was set back from', () => {
    const clock = new StoreClock();
    clock.read(1_000_000, 0);
    clock.step(60_000, 1_000_000);
    clock.step(-60_000, 2_000_000);
    expect(clock.hasStoodAt(1_062_000, 0)).toBe(true);
    expect(clock.hasStoodAt(1_062_000, 3_000_000)).toBe(false);
    expect(clock.hasStoodAt(1_070_000, 0)).toBe(false);
  });
});
