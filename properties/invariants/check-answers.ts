// A check answers: with an object whose `allowed` is a boolean. One that rejects or gives anything else
// leaves its caller to guess, so this judges every subject, whatever it promises.

import type { Invariant } from './invariant.ts';

export const checkAnswers: Invariant = {
  name: 'check-answers',
  sentence:
    'Every check that settles answers yes or no: it neither rejects nor says anything else.',
  scope: 'world',
  create: ({ evaluated, violate }) => ({
    'check-settled': ({ operation, error, outcome, atUs }) => {
      evaluated();
      if (typeof outcome?.allowed === 'boolean') return;
      violate(`The check of operation ${operation} gave no answer: ${error ?? 'nothing'}`, atUs);
    },
  }),
};
