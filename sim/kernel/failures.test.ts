import { describe, expect, it } from 'vitest';
import { runOnHost } from './run-on-host.test.fixture.ts';

const boom = new Error('boom');
function fail(): never {
  throw boom;
}

const failures: Record<string, () => unknown> = {
  'an exception in an event': fail,
  'an exception in a timer': () => setTimeout(fail, 1),
  'an exception in an immediate': () => setImmediate(fail),
  'an exception in a tick': () => process.nextTick(fail),
  'an exception in a microtask': () => queueMicrotask(fail),
  'a rejection nobody handles': () => void Promise.reject(boom),
  'an async function nobody awaits': () =>
    void (async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      fail();
    })(),
};

describe.each(['sync', 'turns'] as const)('under the %s drive', (drive) => {
  it.each(Object.entries(failures))('%s ends its host and nothing else', async (_name, begin) => {
    const seen: string[] = [];
    const run = await runOnHost(
      () => {
        setTimeout(() => seen.push('app lives on'), 100);
        begin();
      },
      {
        drive,
        prepare: (kernel) => {
          const other = kernel.createHost('other');
          other.spawn(async () => {
            await new Promise((resolve) => setTimeout(resolve, 200));
            process.nextTick(() => seen.push('other lives on'));
          });
        },
      },
    );
    expect(run.failures).toEqual([{ host: 'app', error: boom }]);
    expect(run.app.state).toBe('down');
    expect(seen).toEqual(['other lives on']);
  });

  it('many failing hosts leave the process able to run asynchronous code', async () => {
    const run = await runOnHost(() => {}, {
      drive,
      prepare: (kernel) => {
        for (let index = 0; index < 20; index += 1) {
          kernel.createHost(`failing-${index}`).spawn(() => {
            process.nextTick(fail);
            process.nextTick(fail);
            void Promise.reject(boom);
            setTimeout(fail, 3);
          });
        }
      },
    });
    expect(run.failures.length).toBe(20);
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

it('a rejection handled in time is no failure', async () => {
  const run = await runOnHost(async () => {
    await Promise.reject(boom).catch(() => {});
  });
  expect(run.failures).toEqual([]);
});

it('the listeners of the process are the same after a run as before', async () => {
  const events = ['uncaughtException', 'unhandledRejection', 'rejectionHandled'];
  const mine = (): void => {};
  for (const event of events) process.on(event, mine);
  const before = events.map((event) => process.rawListeners(event));
  await runOnHost(() => process.nextTick(fail));
  const after = events.map((event) => process.rawListeners(event));
  for (const event of events) process.off(event, mine);
  expect(after).toEqual(before);
});
