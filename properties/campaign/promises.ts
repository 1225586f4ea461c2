// What a subject can promise. The names of a contract are those of invariants and relations; nothing
// else would ever be looked at.

import { invariants } from '../invariants/index.ts';
import { extras } from './extra.ts';

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
