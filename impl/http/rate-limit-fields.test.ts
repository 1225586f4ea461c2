import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision.ts';
import { formatRateLimitFields, statusOf } from './rate-limit-fields.ts';

const rate = { tokens: 100, periodMs: 60_000 };
const state = { id: 'read', remaining: 0, capacity: 20, resetMs: 12_000, rate, notes: [] };
const refused: Decision = {
  kind: 'denied',
  reason: 'rate-limited',
  cost: 1,
  delayMs: 0,
  remaining: 0,
  retryAfterMs: 600,
  resetMs: 12_000,
  binding: 'read',
  limits: [state],
  wouldBlock: [],
  degraded: false,
  source: 'store',
};
const { reason: _reason, retryAfterMs: _retry, ...rest } = refused;
const allowed: Decision = { ...rest, kind: 'allowed', limits: [{ ...state, resetMs: 1 }] };

describe('the header fields', () => {
  it('of a refusal give the wait as Retry-After and as the reset', () => {
    expect(formatRateLimitFields(refused)).toEqual({
      'RateLimit-Policy': '"read";q=100;w=60',
      RateLimit: '"read";r=0;t=1',
      'Retry-After': '1',
    });
  });

  it.each([
    [0, '1'],
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
    [2_592_000_000, '2592000'],
  ])('round a wait of %i ms up to %s s, never to 0', (retryAfterMs, seconds) => {
    expect(formatRateLimitFields({ ...refused, retryAfterMs })).toMatchObject({
      'Retry-After': seconds,
    });
  });

  it('of an admission give the time to full, and no Retry-After', () => {
    expect(formatRateLimitFields(allowed)).toEqual({
      'RateLimit-Policy': '"read";q=100;w=60',
      RateLimit: '"read";r=0;t=1',
    });
  });

  it('follow the renamed members of the next draft', () => {
    expect(formatRateLimitFields(refused, 'draft-12')).toMatchObject({
      RateLimit: '"read";a=0;w=1;c=1',
    });
  });

  it('leave out a window that is no whole number of seconds, and keep integers in range', () => {
    const odd = { ...state, remaining: 2 ** 53 - 1, rate: { tokens: 5, periodMs: 1500 } };
    expect(formatRateLimitFields({ ...allowed, limits: [odd] })).toEqual({
      'RateLimit-Policy': '"read";q=5',
      RateLimit: '"read";r=999999999999999;t=12',
    });
  });

  it('are none where no limit decided', () => {
    expect(formatRateLimitFields({ ...allowed, limits: [] })).toEqual({});
  });
});

describe('the status', () => {
  it('is 429 for a refusal and 503 for a store that failed', () => {
    expect(statusOf(allowed)).toBeUndefined();
    expect(statusOf(refused)).toBe(429);
    expect(statusOf({ ...refused, reason: 'store-unavailable' })).toBe(503);
  });
});
