// What a campaign says nothing about: invariants that hold only because nothing ever put them to the
// test. Such a campaign must not end with a plain "every invariant holds".

import type { CampaignResult } from '../properties/campaign/campaign.ts';
import { extras } from '../properties/campaign/extra.ts';
import type { CampaignTally } from '../properties/campaign/tally.ts';
import { invariants } from '../properties/invariants/index.ts';
import type { Subject } from '../sim/subject.ts';

/** Fewer seeds may miss a required mark, or an extra property, without being vacuous. */
export const SEEDS_FOR_GATES = 200;

/** Promised invariants that were never evaluated, in the order of the report. */
export function findUntested(subject: Subject, tally: CampaignTally): string[] {
  const promised = promisedBy(subject);
  return tally.invariants
    .filter(({ name, evaluations }) => evaluations === 0 && promised.has(name))
    .map(({ name }) => name);
}

/** Why a campaign that came to its end proves nothing, as a phrase; undefined: it proves something. */
export function findVacuity(subject: Subject, result: CampaignResult): string | undefined {
  const { tally, ended } = result;
  if (ended !== 'all-seeds' && ended !== 'time') return undefined;
  if (tally.decisions === 0) return 'it made no decision';
  if (subject.contract === undefined) return undefined;
  const named = new Set(Object.values(subject.contract).flatMap(({ promises }) => promises));
  const isExtra = (name: string) => extras.some((extra) => extra.name === name);
  // Only a share of the seeds is put to an extra property, so that few seeds may meet none.
  const missing = findUntested(subject, tally)
    .filter((name) => named.has(name))
    .filter((name) => !isExtra(name) || tally.seeds >= SEEDS_FOR_GATES);
  if (missing.length === 0) return undefined;
  return `the contract promises ${missing.join(', ')}, never put to the test`;
}

/** Without a contract everything is promised; what is about the world is never up to the subject. */
function promisedBy({ contract }: Subject): ReadonlySet<string> {
  const lists = contract === undefined ? undefined : Object.values(contract);
  const ofRuns = invariants.filter(
    ({ name, scope }) =>
      lists === undefined ||
      scope === 'world' ||
      lists.some(({ promises }) => promises.includes(name)),
  );
  const ofMoreRuns = extras.filter(
    ({ name, isHarness }) =>
      lists === undefined || isHarness || lists.every(({ promises }) => promises.includes(name)),
  );
  return new Set([...ofRuns, ...ofMoreRuns].map(({ name }) => name));
}
