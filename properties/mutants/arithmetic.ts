// Mutants of the bucket's arithmetic and of the answers computed from it.

import type { Mutant } from './mutant.ts';

const file = 'lua/token-bucket.lua';

/** The exact refill of the production script. */
const refill = `local rest = elapsed % den
      local grown = rest * num + remainder
      remainder = grown % den
      level = level + (elapsed - rest) / den * num + (grown - remainder) / den`;

export const arithmeticMutants: readonly Mutant[] = [
  {
    name: 'float-tokens',
    sentence: 'Tokens are floating point numbers, rounded when they are stored.',
    edits: [
      {
        file,
        find: refill,
        replace: `local tokens = level / 1000000 + elapsed * (num / den / 1000000)
      level, remainder = math.floor(tokens * 1000000 + 0.5), 0`,
      },
    ],
  },
  {
    name: 'remainder-dropped',
    sentence: 'What a refill leaves below a microtoken is forgotten.',
    edits: [
      {
        file,
        find: refill,
        replace: `${refill}
      remainder = 0`,
      },
    ],
  },
  {
    name: 'product-overflow',
    sentence: 'The refill is brought to one denominator, a product that passes 2^53.',
    edits: [
      {
        file,
        find: refill,
        replace: `local total = level * den + remainder + elapsed * num
      remainder = total % den
      level = (total - remainder) / den`,
      },
    ],
  },
  {
    name: 'not-capped-after-idle',
    sentence: 'A bucket that stands idle goes on filling past its capacity.',
    edits: [
      { file, find: 'if elapsed >= wait(full - level) then', replace: 'if false then' },
      { file, find: 'elapsed > 0 and level < full', replace: 'elapsed > 0' },
      {
        file,
        find: `or remainder >= stored_den
    or level > stored_capacity * 1000000 then`,
        replace: 'or remainder >= stored_den then',
      },
    ],
  },
  {
    name: 'denied-request-debits',
    sentence: 'A refused request takes what is left in the bucket.',
    edits: [
      {
        file,
        find: 'retry_after = wait(need - level) + last - now',
        replace: `retry_after = wait(need - level) + last - now
    level, remainder = 0, 0`,
      },
      {
        file,
        find: 'if cost > 0 and (status == 1 or flags % 8 > 1) then',
        replace: 'if cost > 0 then',
      },
    ],
  },
  {
    name: 'greater-for-greater-or-equal',
    sentence: 'The last token of a bucket cannot be spent: > stands for >=.',
    edits: [{ file, find: 'if level >= need then', replace: 'if level > need then' }],
  },
  {
    name: 'deny-everything',
    sentence: 'Every request is refused.',
    edits: [{ file, find: 'if level >= need then', replace: 'if false then' }],
  },
  {
    name: 'retry-after-rounded-down',
    sentence: 'The wait until a retry succeeds is rounded down to whole milliseconds.',
    edits: [
      {
        file,
        find: 'retry_after = wait(need - level) + last - now',
        replace: `local deficit = need - level
    retry_after = math.floor((deficit * den - remainder) / num) + last - now`,
      },
    ],
  },
  {
    name: 'reset-off-by-one',
    sentence: 'The time to full is reported one millisecond too long.',
    edits: [
      {
        file,
        find: 'retry_after, reset, capacity, flags }',
        replace: 'retry_after, reset + 1, capacity, flags }',
      },
    ],
  },
];
