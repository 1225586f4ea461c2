import { expect, it } from 'vitest';
import { probeDrain } from './drain.ts';
import { registry } from './registry.ts';

it('is found impossible from within a microtask, such as after an await', async () => {
  await Promise.resolve();
  expect(probeDrain).toThrow(expect.objectContaining({ code: 'cannot-drain' }));
});

it('is found possible from a turn of the event loop', async () => {
  await new Promise<void>((resolve, reject) => {
    registry.real.setImmediate(() => {
      try {
        probeDrain();
        resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
});
