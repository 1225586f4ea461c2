import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HostClock } from './clock.ts';

const EPOCH_MS = 1_700_000_000_000;

function createClock(trueTime: { nowUs: number }, offsetMs = 0, driftPpm = 0): HostClock {
  return new HostClock(trueTime, { epochMs: EPOCH_MS, offsetMs, driftPpm, onDrift: () => {} });
}

describe('the clocks of a host', () => {
  it('show true time when nothing disturbs them', () => {
    const clock = createClock({ nowUs: 1_234_567 });
    expect([clock.monotonicUs(), clock.wallMs()]).toEqual([1_234_567, EPOCH_MS + 1234]);
  });

  it('apply offsets and steps to the wall clock only', () => {
    const trueTime = { nowUs: 0 };
    const clock = createClock(trueTime, 500);
    trueTime.nowUs = 2_000_000;
    clock.step(-3000);
    expect(clock.wallMs()).toBe(EPOCH_MS + 500 + 2000 - 3000);
    expect(clock.monotonicUs()).toBe(2_000_000);
  });

  it('gain by their drift, both of them, from when it is set', () => {
    const trueTime = { nowUs: 0 };
    const clock = createClock(trueTime);
    trueTime.nowUs = 1_000_000;
    clock.setDrift(1000);
    trueTime.nowUs = 11_000_000;
    expect(clock.monotonicUs()).toBe(11_010_000);
    expect(clock.wallUs()).toBe(EPOCH_MS * 1000 + 11_010_000);
  });

  it('tell the first true instant at which a reading is reached, under any drift', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000, max: 100_000 }),
        fc.nat(1e9),
        fc.nat(1e9),
        (ppm, nowUs, readingUs) => {
          const trueTime = { nowUs };
          const clock = createClock(trueTime, 0, 0);
          clock.setDrift(ppm);
          const target = clock.monotonicUs() + readingUs;
          const instantUs = clock.trueTimeOf(target);
          trueTime.nowUs = instantUs;
          expect(clock.monotonicUs()).toBeGreaterThanOrEqual(target);
          trueTime.nowUs = instantUs - 1;
          expect(clock.monotonicUs()).toBeLessThan(target);
        },
      ),
    );
  });
});
