import { describe, expect, it } from 'vitest';
import type { CampaignResult } from '../properties/campaign/campaign.ts';
import type { Subject } from '../sim/subject.ts';
import { findUntested, findVacuity } from './untested.ts';

function resultOf(
  evaluations: Readonly<Record<string, number>>,
  change: Partial<CampaignResult['tally']> = {},
): CampaignResult {
  const invariants = Object.entries(evaluations).map(([name, count]) => ({
    name,
    evaluations: count,
  }));
  const tally = {
    seeds: 3,
    simulatedSeconds: 1,
    decisions: 9,
    events: 90,
    invariants,
    reached: [],
    worstOvershoot: [],
    digest: '',
    ...change,
  };
  return { ended: 'all-seeds', tally, wallSeconds: 1, failure: undefined, fault: undefined };
}

function subject(promises?: readonly string[]): Subject {
  const rate = { tokens: 1, periodMs: 1 };
  const contract = { a: { algorithm: 'x', capacity: 1, rate, promises: promises ?? [] } };
  return {
    name: 'one',
    createHost: () => {
      throw new Error('Never run.');
    },
    ...(promises === undefined ? {} : { contract }),
  };
}

const evaluations = { 'admission-bound': 4, 'key-has-ttl': 0, 'retry-after-kept': 0 };

describe('what was never tested', () => {
  it('is every invariant without evaluations, where there is no contract', () => {
    const { tally } = resultOf(evaluations);
    expect(findUntested(subject(), tally)).toEqual(['key-has-ttl', 'retry-after-kept']);
  });

  it('leaves out what a contract does not promise', () => {
    const { tally } = resultOf(evaluations);
    const promising = subject(['admission-bound', 'retry-after-kept']);
    expect(findUntested(promising, tally)).toEqual(['retry-after-kept']);
  });
});

describe('a campaign proves nothing', () => {
  it('when a promise of a contract was never put to the test', () => {
    const result = resultOf(evaluations);
    expect(findVacuity(subject(['admission-bound', 'key-has-ttl']), result)).toBe(
      'the contract promises key-has-ttl, never put to the test',
    );
    expect(findVacuity(subject(['admission-bound']), result)).toBeUndefined();
    expect(findVacuity(subject(), result)).toBeUndefined();
  });

  it('when it made no decision, unless it did not come to its end', () => {
    const result = resultOf({}, { decisions: 0 });
    expect(findVacuity(subject(), result)).toBe('it made no decision');
    expect(findVacuity(subject(), { ...result, ended: 'interrupted' })).toBeUndefined();
  });

  it('about a property that takes more runs only when there were enough seeds', () => {
    const promising = subject(['other-tenants-change-nothing']);
    const few = resultOf({ 'other-tenants-change-nothing': 0 });
    const many = resultOf({ 'other-tenants-change-nothing': 0 }, { seeds: 200 });
    expect(findVacuity(promising, few)).toBeUndefined();
    expect(findVacuity(promising, many)).toMatch(/other-tenants-change-nothing/);
  });
});
