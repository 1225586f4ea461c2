// All mutants, in the order in which they are listed and tried.

import { arithmeticMutants } from './arithmetic.ts';
import { clientMutants } from './client.ts';
import { keyMutants } from './key.ts';
import { lifeMutants } from './life.ts';
import type { Mutant } from './mutant.ts';
import { timeMutants } from './time.ts';

export const mutants: readonly Mutant[] = [
  ...arithmeticMutants,
  ...timeMutants,
  ...lifeMutants,
  ...keyMutants,
  ...clientMutants,
];

export function findMutant(name: string): Mutant | undefined {
  return mutants.find((mutant) => mutant.name === name);
}
