import { describe, expect, it } from 'vitest';
import type { HistoryEvent, Outcome } from '../sim/run/history.ts';
import { findDrift, formatDrift } from './drift.ts';

function settled(operation: number, outcome: Outcome): HistoryEvent {
  return {
    kind: 'check-settled',
    atUs: 1,
    operation,
    host: 'replica-0',
    outcome,
    error: undefined,
  };
}

const allowed = { allowed: true };
const down = { allowed: false, reason: 'store-unavailable' };

describe('a drift', () => {
  it('counts the decisions that changed, and shows the first of them', () => {
    const operations = [32, 64, 96, 128, 160, 192, 224];
    const before = [...operations.map((id) => settled(id, allowed)), settled(256, down)];
    const now = [...operations.map((id) => settled(id, down)), settled(256, down)];
    const lines = formatDrift(findDrift(before, now));
    expect(lines[0]).toBe('7 of 8 decisions are others than in the trace:');
    expect(lines[1]).toBe('  operation 32 was allowed, is denied (store-unavailable)');
    expect(lines).toContain('  and 2 more');
    expect(lines).toContain('7 that were allowed are not any more.');
  });

  it('knows a decision that is gone, and one that is new', () => {
    const { changed } = findDrift([settled(32, allowed)], [settled(64, allowed)]);
    expect(changed).toEqual([
      { operation: 32, was: 'allowed', is: undefined },
      { operation: 64, was: undefined, is: 'allowed' },
    ]);
  });

  it('is none where only figures changed that no verdict depends on', () => {
    const one = settled(32, { allowed: true, remaining: 3 });
    expect(findDrift([one], [settled(32, { allowed: true, remaining: 4 })]).changed).toEqual([]);
  });
});
