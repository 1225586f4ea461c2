import { describe, expect, it } from 'vitest';
import { createBackgroundCause } from './cause.ts';
import { Kernel } from './kernel.ts';
import { runOnHost } from './run-on-host.test.fixture.ts';

describe('a crash', () => {
  it('drops the events and timers of the process, and the next process starts anew', async () => {
    const seen: string[] = [];
    const { app } = await runOnHost(() => setTimeout(() => seen.push('old timer'), 10), {
      prepare: (kernel, host) => {
        kernel.schedule(20_000, host, host.background, () => seen.push('old event'));
        kernel.schedule(5000, kernel.world, kernel.cause, () => host.crash());
        kernel.schedule(6000, kernel.world, kernel.cause, () => {
          host.restart(() => setTimeout(() => seen.push('new timer'), 1));
        });
      },
    });
    expect(seen).toEqual(['new timer']);
    expect([app.state, app.incarnation, app.leftovers().timers]).toEqual(['up', 2, 0]);
  });

  it('tells its listeners once each time and does nothing to a host that is down', async () => {
    let crashes = 0;
    await runOnHost(() => {}, {
      prepare: (kernel, host) => {
        host.onCrash(() => {
          crashes += 1;
        });
        kernel.schedule(1, kernel.world, kernel.cause, () => {
          host.crash();
          host.crash();
          host.restart(() => {});
          host.restart(() => {});
        });
      },
    });
    expect(crashes).toBe(2);
  });

  it('lets nothing be scheduled on a host that is down', async () => {
    let ran = false;
    await runOnHost(() => {}, {
      prepare: (kernel, host) => {
        kernel.schedule(5, kernel.world, kernel.cause, () => {
          host.crash();
          kernel.schedule(10, host, host.background, () => {
            ran = true;
          });
          kernel.schedule(5, kernel.world, kernel.cause, () => host.restart(() => {}));
        });
      },
    });
    expect(ran).toBe(false);
  });
});

describe('a pause', () => {
  it('runs due timers before everything else that waited, and keeps order within both', async () => {
    const seen: string[] = [];
    const { kernel } = await runOnHost(
      () => {
        setTimeout(() => seen.push('timer 8'), 8);
        setTimeout(() => seen.push('timer 6'), 6);
        setTimeout(() => seen.push('timer 50'), 50);
      },
      {
        prepare: (owner, host) => {
          const event = (atMs: number) =>
            owner.schedule(atMs * 1000, host, host.background, () => seen.push(`event ${atMs}`));
          [5, 7, 12].forEach(event);
          owner.schedule(2000, owner.world, owner.cause, () => host.pause(10_000));
        },
      },
    );
    expect(seen).toEqual(['timer 6', 'timer 8', 'event 5', 'event 7', 'event 12', 'timer 50']);
    expect(kernel.nowUs).toBe(50_000);
  });

  it('lasts until the end of the longest of those that overlap', async () => {
    let ranAtUs = 0;
    await runOnHost(() => {}, {
      prepare: (kernel, host) => {
        host.pause(30_000);
        host.pause(10_000);
        kernel.schedule(5, host, host.background, () => {
          ranAtUs = kernel.nowUs;
        });
      },
    });
    expect(ranAtUs).toBe(30_000);
  });

  it('does not outlive the process it stopped', async () => {
    let startedAtUs = 0;
    await runOnHost(() => {}, {
      prepare: (kernel, host) => {
        host.pause(30_000);
        kernel.schedule(1000, kernel.world, kernel.cause, () =>
          host.restart(() => {
            startedAtUs = kernel.nowUs;
          }),
        );
      },
    });
    expect(startedAtUs).toBe(1000);
  });

  it('makes an interval late and does not make it catch up', async () => {
    const atMs: number[] = [];
    await runOnHost((kernel) => setInterval(() => atMs.push(kernel.nowUs / 1000), 10), {
      untilUs: 70_000,
      prepare: (kernel, host) =>
        kernel.schedule(15_000, kernel.world, kernel.cause, () => host.pause(30_000)),
    });
    expect(atMs).toEqual([10, 45, 55, 65]);
  });
});

describe('clocks of several hosts', () => {
  it('are seen by the code that runs on each', async () => {
    const read: Record<string, number> = {};
    await runOnHost(() => {}, {
      prepare: (kernel) => {
        for (const [name, offsetMs] of [
          ['fast', 500],
          ['slow', -300],
        ] as const) {
          kernel.createHost(name, { offsetMs }).spawn(async () => {
            await new Promise((resolve) => setTimeout(resolve, 1000));
            read[name] = Date.now() - kernel.epochMs;
          });
        }
      },
    });
    expect(read).toEqual({ fast: 1500, slow: 700 });
  });

  it('change the true length of timers when they drift, also of pending ones', async () => {
    const atUs: number[] = [];
    await runOnHost(() => {}, {
      prepare: (kernel) => {
        const host = kernel.createHost('drifting', { driftPpm: 100_000 });
        host.spawn(() => {
          setTimeout(() => atUs.push(kernel.nowUs), 1100);
          setTimeout(() => atUs.push(kernel.nowUs), 2200);
        });
        kernel.schedule(1_000_001, kernel.world, kernel.cause, () => host.clock.setDrift(0));
      },
    });
    expect(atUs[0]).toBe(1_000_000);
    expect(atUs[1]).toBe(2_100_000);
  });
});

describe('background causes', () => {
  it('are stable for a name and an incarnation, whatever other hosts there are', () => {
    const first = new Kernel({ seed: 1 });
    const second = new Kernel({ seed: 2 });
    first.createHost('other');
    const here = first.createHost('replica-1');
    const there = second.createHost('replica-1');
    expect(here.background.id).toBe(there.background.id);
    expect(here.background.id).toBeGreaterThan(0x7fff_ffff);
    here.restart(() => {});
    expect(here.background.id).not.toBe(there.background.id);
    expect(here.background.id).toBe(createBackgroundCause('replica-1', 2).id);
  });
});
