// Mutants of the key under which a bucket is kept.

import type { Mutant } from './mutant.ts';

const file = 'key/key-encoder.js';

export const keyMutants: readonly Mutant[] = [
  {
    name: 'key-without-state-version',
    sentence: 'A limit with another period goes on with the state of the old one.',
    edits: [
      {
        file,
        find: '`}:${limit.id}:${limit.stateVersion}`',
        replace: '`}:${limit.id}`',
      },
    ],
  },
  {
    name: 'key-without-escaping',
    sentence: 'The parts of a key are joined as they are, so that two clients can share a bucket.',
    edits: [
      {
        file,
        find: 'return (descriptor) => appendParts(`${head}${encodePart(descriptor.tenant)}${middle}`, parts, descriptor);',
        replace:
          "return (descriptor) => [prefix, limit.id, limit.stateVersion, ...limit.key.map((dimension) => descriptor[dimension])].join(':');",
      },
    ],
  },
];
