// Mutants of how long a key lives in the store.

import type { Mutant } from './mutant.ts';

const file = 'lua/token-bucket.lua';

export const lifeMutants: readonly Mutant[] = [
  {
    name: 'ttl-too-short',
    sentence: 'A key lives for half the time its bucket takes to fill, and is then full again.',
    edits: [{ file, find: 'local life = reset', replace: 'local life = (reset - reset % 2) / 2' }],
  },
  {
    name: 'no-ttl',
    sentence: 'Keys are written without an expiry and stay for ever.',
    edits: [{ file, find: "pack(last), 'PX', life)", replace: 'pack(last))' }],
  },
];
