import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../sim/run/history.ts';
import { describeEvent } from './sentences.ts';

const request = {
  id: 3,
  atUs: 0,
  tenant: 'a\n"b',
  user: 'u',
  method: 'GET',
  path: '/orders/1',
  cost: 2,
  gateway: 0,
};

describe('a run in plain sentences', () => {
  it('says what a script changed, in bytes that are safe to print', () => {
    const event: HistoryEvent = {
      kind: 'script-executed',
      atUs: 1_500_000,
      operation: 6,
      storeMs: Date.UTC(2026, 0, 1),
      failed: false,
      keys: [
        { key: 'k\u0001', before: undefined, after: 'x', expiresAtMs: Date.UTC(2026, 0, 1) + 90 },
      ],
    };
    expect(describeEvent(event)).toBe(
      '    1.500000 s  The store runs operation 6 at its 2026-01-01T00:00:00.000Z: "k\\u0001" is created, expiring in 90 ms.',
    );
  });

  it('says that a script changed nothing', () => {
    const keys = [{ key: 'k', before: 'x', after: 'x', expiresAtMs: 5 }];
    const event = {
      kind: 'script-executed',
      atUs: 0,
      operation: 6,
      storeMs: 0,
      failed: false,
      keys,
    } as const;
    expect(describeEvent(event)).toContain('nothing changes.');
  });

  it('tells an unknown script from one that failed', () => {
    const event = {
      kind: 'script-executed',
      atUs: 0,
      operation: 6,
      storeMs: 0,
      failed: true,
    } as const;
    expect(describeEvent({ ...event, keys: [] })).toContain('does not know the script.');
    const keys = [{ key: 'k', before: undefined, after: undefined, expiresAtMs: undefined }];
    expect(describeEvent({ ...event, keys, error: 'ERR user_script:7: no' })).toContain(
      'the script fails (ERR user_script:7: no).',
    );
  });

  it('keeps a name with line breaks and quotes on one line', () => {
    const line = describeEvent({ kind: 'request', atUs: 7, operation: 6, request, attempt: 2 });
    expect(line).toBe(
      '    0.000007 s  Request 3, attempt 2 (operation 6): GET /orders/1, tenant "a\\n\\"b", user "u", cost 2.',
    );
  });

  it('gives every figure of an answer', () => {
    const outcome = {
      allowed: false,
      reason: 'rate-limited',
      retryAfterMs: 12,
      remaining: 0,
      resetMs: 60,
    };
    const event = {
      kind: 'check-settled',
      atUs: 0,
      operation: 6,
      host: 'replica-1',
      outcome,
      error: undefined,
    } as const;
    expect(describeEvent(event)).toContain(
      'replica-1 answers operation 6: denied, reason rate-limited, 0 remaining, full in 60 ms, retry after 12 ms.',
    );
  });

  it('lists what is left at the end', () => {
    const event = {
      kind: 'run-ended',
      atUs: 0,
      ending: 'stuck',
      left: [{ host: 'replica-0', what: 'timer', count: 2 }],
      unsettled: [6, 8],
    } as const;
    expect(describeEvent(event)).toContain(
      'The run ends: stuck; left over: 2 timers on replica-0; never settled: 6, 8.',
    );
  });
});
