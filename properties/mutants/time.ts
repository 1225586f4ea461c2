// Mutants of the bucket's time: whose clock it reads, and what happens when that clock moves back.

import type { Mutant } from './mutant.ts';

const file = 'lua/token-bucket.lua';

export const timeMutants: readonly Mutant[] = [
  {
    name: 'client-clock',
    sentence: 'The refill goes by the clock of the replica that asks, not by that of the store.',
    edits: [
      {
        file: 'limiter.js',
        find: 'revision, num, den, capacity)',
        replace: 'revision, num, den, capacity, String(Date.now()))',
      },
      {
        file: 'limiter.js',
        find: '...prepared.parameters)',
        replace: '...prepared.parameters, String(Date.now()))',
      },
      {
        file,
        find: 'local now = tonumber(time[1]) * 1000 + (micros - micros % 1000) / 1000',
        replace: 'local now = tonumber(ARGV[6])',
      },
    ],
  },
  {
    name: 'no-clamp',
    sentence:
      'When the store’s clock moves back the bucket’s time follows, and the same time refills twice.',
    edits: [
      { file, find: 'if last - now > wait(capacity * 1000000) then', replace: 'if true then' },
    ],
  },
  {
    name: 'no-re-anchor',
    sentence: 'A bucket whose time lies far in the future waits for that time to come.',
    edits: [
      { file, find: 'if last - now > wait(capacity * 1000000) then', replace: 'if false then' },
    ],
  },
  {
    name: 'time-moved-without-refill',
    sentence:
      'Time too short to refill a microtoken is taken as spent: polling starves the bucket.',
    edits: [
      {
        file,
        find: 'level = level + (elapsed - rest) / den * num + (grown - remainder) / den',
        replace: `local before = level
      level = level + (elapsed - rest) / den * num + (grown - remainder) / den
      if level == before then
        remainder = 0
      end`,
      },
    ],
  },
];
