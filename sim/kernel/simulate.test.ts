import { describe, expect, it } from 'vitest';
import { HarnessError } from './errors.ts';
import { Kernel } from './kernel.ts';
import { runOnHost } from './run-on-host.test.fixture.ts';
import { simulate } from './simulate.ts';

describe.each(['sync', 'turns'] as const)('a run under the %s drive', (drive) => {
  it('runs what is ready before time moves: ticks, promises, immediates, timers', async () => {
    const seen: string[] = [];
    await runOnHost(
      () => {
        setTimeout(() => seen.push('timer'), 0);
        setImmediate(() => seen.push('immediate'));
        void Promise.resolve().then(() => seen.push('promise'));
        queueMicrotask(() => seen.push('microtask'));
        process.nextTick(() => seen.push('tick'));
        seen.push('body');
      },
      { drive },
    );
    expect(seen).toEqual(['body', 'tick', 'promise', 'microtask', 'immediate', 'timer']);
  });

  it('moves time from event to event and ends when nothing is left', async () => {
    const { kernel, ending } = await runOnHost(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
      },
      { drive },
    );
    expect(ending).toEqual({ kind: 'done' });
    expect(kernel.nowUs).toBe(1_500_000);
  });

  it('ends at its time with events left', async () => {
    let turns = 0;
    const { kernel, ending } = await runOnHost(
      () =>
        setInterval(() => {
          turns += 1;
        }, 100),
      { drive, untilUs: 1_000_000 },
    );
    expect([turns, kernel.nowUs, ending.kind]).toEqual([10, 1_000_000, 'done']);
  });

  it('ends out of budget when events never end', async () => {
    const kernel = new Kernel({ seed: 1, budgetEvents: 500 });
    const again = (): unknown => setImmediate(again);
    const ending = await simulate(kernel, { untilUs: 10, drive }, () => {
      again();
    });
    expect([ending.kind, kernel.eventsRun, kernel.nowUs]).toEqual(['out-of-budget', 500, 0]);
  });

  it('ends stuck when nothing is left to happen and something was to do', async () => {
    const kernel = new Kernel({ seed: 1 });
    const options = { untilUs: 10, drive, isFinished: () => false };
    expect(await simulate(kernel, options, () => {})).toEqual({ kind: 'stuck' });
  });

  it('rejects when code of the harness throws, with what it threw', async () => {
    const kernel = new Kernel({ seed: 1 });
    const bug = new Error('a bug in a checker');
    const run = simulate(kernel, { untilUs: 1e6, drive }, () => {
      kernel.schedule(5, kernel.world, kernel.cause, () => {
        throw bug;
      });
    });
    const error = await run.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HarnessError);
    expect(error).toMatchObject({ code: 'world-failure', cause: bug });
  });
});

describe('simulate', () => {
  it('runs a kernel once', async () => {
    const kernel = new Kernel({ seed: 1 });
    const options = { untilUs: 10, drive: 'sync' } as const;
    await simulate(kernel, options, () => {});
    await expect(simulate(kernel, options, () => {})).rejects.toMatchObject({ code: 'misuse' });
  });

  it('runs one run after the other when several are asked for', async () => {
    const seen: string[] = [];
    const runs = ['first', 'second'].map((name) =>
      runOnHost(
        async () => {
          seen.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 10));
          seen.push(`${name} ends`);
        },
        { drive: 'turns' },
      ),
    );
    await Promise.all(runs);
    expect(seen).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('settles after awaits of its own, where draining by hand would do nothing', async () => {
    await Promise.resolve();
    let drained = false;
    await runOnHost(async () => {
      await Promise.resolve();
      drained = true;
    });
    expect(drained).toBe(true);
  });
});
