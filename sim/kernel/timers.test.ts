import timers from 'node:timers';
import timersPromises, { setTimeout as delay, scheduler } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Kernel } from './kernel.ts';
import { runOnHost } from './run-on-host.test.fixture.ts';
import { Timeout } from './timers.ts';

/** Runs a body on a host and returns what it noted, each with the milliseconds of true time. */
async function note(
  body: (mark: (text: string) => void, kernel: Kernel) => unknown,
  untilMs = 10_000,
): Promise<string[]> {
  const notes: string[] = [];
  const run = await runOnHost(
    (kernel) => body((text) => notes.push(`${kernel.nowUs / 1000} ${text}`), kernel),
    { untilUs: untilMs * 1000 },
  );
  expect(run.failures).toEqual([]);
  return notes;
}

describe('setTimeout', () => {
  it.each([
    [0, 1],
    [-5, 1],
    [1.9, 1],
    [20.7, 20],
    [2 ** 31, 1],
    [Number.NaN, 1],
    ['30', 30],
    [undefined, 1],
  ])('reads a delay of %s as %s ms, as Node does', async (given, waited) => {
    const notes = await note((mark) => Reflect.apply(setTimeout, null, [mark, given, 'ran']));
    expect(notes).toEqual([`${waited} ran`]);
  });

  it('passes arguments and the timer itself as `this`', async () => {
    let self: unknown;
    const notes = await note((mark) => {
      const timer = setTimeout(
        function (this: unknown, first: string, second: string) {
          self = this === timer;
          mark(first + second);
        },
        5,
        'a',
        'b',
      );
    });
    expect([notes, self]).toEqual([['5 ab'], true]);
  });

  it('runs timers of one instant in the order in which they were set', async () => {
    const notes = await note((mark) => {
      setTimeout(mark, 5, 'first');
      setTimeout(mark, 5, 'second');
      setTimeout(mark, 4, 'zeroth');
    });
    expect(notes).toEqual(['4 zeroth', '5 first', '5 second']);
  });

  it('is refreshed, also after it has run', async () => {
    const notes = await note((mark) => {
      const timer = setTimeout(mark, 10, 'ran');
      setTimeout(() => timer.refresh(), 6);
      setTimeout(() => timer.refresh(), 100);
    });
    expect(notes).toEqual(['16 ran', '110 ran']);
  });

  it('is cleared by the timer, its number, its number as text, close and dispose', async () => {
    const notes = await note((mark) => {
      clearTimeout(setTimeout(mark, 1, 'by timer'));
      clearTimeout(Number(setTimeout(mark, 1, 'by number')));
      clearTimeout(String(Number(setTimeout(mark, 1, 'by text'))));
      clearInterval(setTimeout(mark, 1, 'by clearInterval'));
      setTimeout(mark, 1, 'by close').close();
      setTimeout(mark, 1, 'by dispose')[Symbol.dispose]();
      clearTimeout(undefined);
      clearTimeout(12345);
    });
    expect(notes).toEqual([]);
  });

  it('tells whether it is ref, and counts in the census until it has run', async () => {
    const counts: unknown[] = [];
    await runOnHost((_kernel, app) => {
      const timer = setTimeout(() => counts.push(app.leftovers()), 5);
      expect(timer.hasRef()).toBe(true);
      expect(timer.unref()).toBe(timer);
      expect(timer.hasRef()).toBe(false);
      counts.push(app.leftovers());
      timer.ref();
      counts.push(app.leftovers());
    });
    expect(counts).toEqual([
      { timers: 1, unrefTimers: 1, sockets: 0 },
      { timers: 1, unrefTimers: 0, sockets: 0 },
      { timers: 0, unrefTimers: 0, sockets: 0 },
    ]);
  });

  it('refuses a callback that is none with the text of Node', async () => {
    await note(() => {
      expect(() => Reflect.apply(setTimeout, null, ['x'])).toThrow(
        'The "callback" argument must be of type function',
      );
    });
  });

  it('keeps many cancelled timers from filling the agenda', async () => {
    let size = 0;
    const notes = await note((mark, kernel) => {
      for (let index = 0; index < 20_000; index += 1) clearTimeout(setTimeout(mark, 5000, 'never'));
      size = kernel.agendaSize;
      setTimeout(mark, 1, 'ran');
    });
    expect(notes).toEqual(['1 ran']);
    expect(size).toBeLessThan(2000);
  });
});

describe('setInterval', () => {
  it('repeats until it is cleared, also from within', async () => {
    const notes = await note((mark) => {
      let turns = 0;
      const timer = setInterval(() => {
        turns += 1;
        mark(`${turns}`);
        if (turns === 3) clearInterval(timer);
      }, 10);
    });
    expect(notes).toEqual(['10 1', '20 2', '30 3']);
  });
});

describe('setImmediate', () => {
  it('runs at the same instant, one after the other, and can be cleared', async () => {
    const notes = await note((mark) => {
      setImmediate(mark, 'first');
      setImmediate(() => setImmediate(mark, 'third'));
      clearImmediate(setImmediate(mark, 'never'));
      setImmediate(mark, 'second');
    });
    expect(notes).toEqual(['0 first', '0 second', '0 third']);
  });
});

describe('timers/promises', () => {
  it('waits in virtual time, by every way to get there', async () => {
    const notes = await note(async (mark) => {
      mark(await delay(10, 'imported'));
      mark(await timersPromises.setTimeout(10, 'default'));
      mark(await promisify(setTimeout)(10, 'promisified'));
      mark(await promisify(timers.setTimeout)(10, 'promisified module'));
      mark(await timersPromises.setImmediate('immediate'));
      mark(await promisify(setImmediate)('promisified immediate'));
      await scheduler.wait(10);
      mark('waited');
      await scheduler.yield();
      mark('yielded');
    });
    expect(notes).toEqual([
      '10 imported',
      '20 default',
      '30 promisified',
      '40 promisified module',
      '40 immediate',
      '40 promisified immediate',
      '50 waited',
      '50 yielded',
    ]);
  });

  it('rejects with AbortError when its signal aborts, before or meanwhile', async () => {
    const notes = await note(async (mark) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort('why'), 5);
      const seen = async (promise: Promise<unknown>) => {
        const error = await promise.catch((reason: unknown) => reason);
        expect(error).toMatchObject({ name: 'AbortError', code: 'ABORT_ERR', cause: 'why' });
        mark('aborted');
      };
      await seen(delay(100, undefined, { signal: controller.signal }));
      await seen(delay(100, undefined, { signal: controller.signal }));
      await seen(timersPromises.setImmediate(undefined, { signal: controller.signal }));
    });
    expect(notes).toEqual(['5 aborted', '5 aborted', '5 aborted']);
  });

  it('yields an interval until the loop ends', async () => {
    const notes = await note(async (mark) => {
      let turns = 0;
      for await (const value of timersPromises.setInterval(10, 'turn')) {
        mark(value);
        turns += 1;
        if (turns === 2) break;
      }
      mark('left');
    });
    expect(notes).toEqual(['10 turn', '20 turn', '20 left']);
  });
});

describe('AbortSignal.timeout', () => {
  it('aborts in virtual time with a TimeoutError, and holds no process up', async () => {
    const notes = await note((mark) => {
      const signal = AbortSignal.timeout(50);
      signal.addEventListener('abort', () => mark(`${signal.reason.name} ${signal.reason.code}`));
    });
    expect(notes).toEqual(['50 TimeoutError 23']);
  });
});

it('timers set outside of a run are real, and clearing them in a run works', async () => {
  const real = setTimeout(() => {}, 60_000);
  expect(real).not.toBeInstanceOf(Timeout);
  await note(() => clearTimeout(real));
  expect(Reflect.get(real, '_destroyed')).toBe(true);
});
