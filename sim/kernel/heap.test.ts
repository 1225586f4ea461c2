import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Task } from './event.ts';
import { EventHeap } from './heap.ts';
import { Kernel } from './kernel.ts';

const kernel = new Kernel({ seed: 1 });

function createTask(): Task {
  return new Task(kernel.world, kernel.cause, () => {});
}

it('pops events by time and then by sequence, in any mix of pushing and popping', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.nat(50), { freq: 3 }), { maxLength: 200, size: 'max' }),
      (steps) => {
        const heap = new EventHeap();
        const expected: [number, number][] = [];
        let sequence = 0;
        for (const atUs of steps) {
          if (atUs === null) {
            expected.sort(([a, b], [c, d]) => a - c || b - d);
            const popped =
              heap.pop() === undefined ? undefined : [heap.poppedUs, heap.poppedSequence];
            expect(popped).toEqual(expected.shift());
          } else {
            sequence += 1;
            heap.push(atUs, sequence, createTask());
            expected.push([atUs, sequence]);
          }
        }
        expect(heap.size).toBe(expected.length);
      },
    ),
  );
});

it('grows beyond its first thousand entries', () => {
  const heap = new EventHeap();
  for (let index = 0; index < 5000; index += 1) heap.push(5000 - index, index, createTask());
  let last = 0;
  while (heap.pop() !== undefined) {
    expect(heap.poppedUs).toBeGreaterThan(last);
    last = heap.poppedUs;
  }
  expect(last).toBe(5000);
});

it('sweeps stale entries and keeps the rest in order', () => {
  const heap = new EventHeap();
  const events = Array.from({ length: 100 }, createTask);
  events.forEach((event, index) => {
    event.sequence = index % 3 === 0 ? index + 1 : 0;
    heap.push(100 - index, index + 1, event);
  });
  heap.sweep();
  expect(heap.size).toBe(34);
  heap.pop();
  expect(heap.poppedUs).toBe(1);
});
