// What a subject can promise, and what a campaign owes to those promises. The names of a contract are
// those of invariants and relations; nothing else would ever be looked at.

import type { Subject } from '../../sim/subject.ts';
import { invariants } from '../invariants/index.ts';
import { extras, isDue } from './extra.ts';

/** Every name a contract may list, in the order of reports. */
export const promiseNames: readonly string[] = [
  ...invariants.map(({ name }) => name),
  ...extras.filter(({ isHarness }) => !isHarness).map(({ name }) => name),
];

/** Promises that compare the subject with the exact model of its algorithm. */
export const modelPromises: ReadonlySet<string> = new Set(
  invariants.filter(({ needsModel }) => needsModel === true).map(({ name }) => name),
);

/** Promises that are judged over whole runs, so that all policies make them or none. */
export const wholeRunPromises: ReadonlySet<string> = new Set(extras.map(({ name }) => name));

/** The algorithms a contract may name, and whether this version has a model of them. */
export const algorithms: ReadonlyMap<string, { readonly isModelled: boolean }> = new Map([
  ['token-bucket', { isModelled: true }],
  ['leaky-bucket', { isModelled: false }],
  ['fixed-window', { isModelled: false }],
  ['sliding-window-counter', { isModelled: false }],
  ['sliding-window-log', { isModelled: false }],
]);

/** Which seeds a campaign ran, and whether a share of them was put to the extra properties. */
export interface SeedsRun {
  readonly firstSeed: number;
  readonly seeds: number;
  readonly extras: boolean;
}

/**
 * What this subject promises and a campaign over these seeds had to evaluate. Without a contract that
 * is everything; a relation counts once a seed of its share was run.
 */
export function findPromised(subject: Pick<Subject, 'contract'>, run: SeedsRun): string[] {
  const { contract } = subject;
  const promised =
    contract === undefined
      ? promiseNames
      : promiseNames.filter((name) =>
          Object.values(contract).some(({ promises }) => promises.includes(name)),
        );
  return promised.filter((name) => !wholeRunPromises.has(name) || hasDueSeed(name, run));
}

function hasDueSeed(name: string, { firstSeed, seeds, extras }: SeedsRun): boolean {
  for (let seed = firstSeed; extras && seed < firstSeed + seeds; seed += 1) {
    if (isDue(name, seed)) return true;
  }
  return false;
}
