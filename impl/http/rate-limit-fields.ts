// What a decision looks like in HTTP: a status and header fields. The spelling of the RateLimit
// fields still moves between drafts of draft-ietf-httpapi-ratelimit-headers, so it is in this file
// alone. What it leaves out: bodies, and which limits may be shown to whom.

import type { Decision, LimitState } from '../decision.ts';

/** `draft-11` is May 2026; `draft-12` the editors' branch of August 2026, which renames members. */
export type FieldDraft = 'draft-11' | 'draft-12';

/** Structured fields allow integers of at most fifteen digits (RFC 9651, 3.3.1). */
const LARGEST_FIELD_INTEGER = 999_999_999_999_999;

/** 429 for a refusal, 503 when the store gave no decision, `undefined` when the request may go on. */
export function statusOf(decision: Decision): 429 | 503 | undefined {
  if (decision.kind === 'allowed') {
    return undefined;
  }
  return decision.reason === 'store-unavailable' ? 503 : 429;
}

/**
 * The fields of a response: `RateLimit-Policy` and `RateLimit` where a limit decided, `Retry-After`
 * on a refusal that passes with time. Retry-After is whole seconds, rounded up, at least 1, so that
 * a client that obeys is not refused again for its obedience (RFC 9110, 10.2.3).
 */
export function formatRateLimitFields(
  decision: Decision,
  draft: FieldDraft = 'draft-11',
): Record<string, string> {
  const fields: Record<string, string> = {};
  const retryAfter = secondsToWait(decision.retryAfterMs);
  if (decision.limits.length > 0) {
    const resetOf = (limit: LimitState) =>
      retryAfter !== undefined && limit.id === decision.binding
        ? retryAfter
        : Math.ceil(limit.resetMs / 1000);
    fields['RateLimit-Policy'] = decision.limits.map(formatPolicy).join(', ');
    fields['RateLimit'] = decision.limits
      .map((limit) => formatState(limit, resetOf(limit), decision.cost, draft))
      .join(', ');
  }
  if (retryAfter !== undefined) {
    fields['Retry-After'] = String(retryAfter);
  }
  return fields;
}

function secondsToWait(retryAfterMs: number | undefined): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
}

/** A period that is no whole number of seconds cannot be written; the window is then left out. */
function formatPolicy({ id, rate }: LimitState): string {
  const window = rate.periodMs % 1000 === 0 ? `;w=${toFieldInteger(rate.periodMs / 1000)}` : '';
  return `"${id}";q=${toFieldInteger(rate.tokens)}${window}`;
}

function formatState(limit: LimitState, reset: number, cost: number, draft: FieldDraft): string {
  const remaining = toFieldInteger(limit.remaining);
  switch (draft) {
    case 'draft-11':
      return `"${limit.id}";r=${remaining};t=${toFieldInteger(reset)}`;
    case 'draft-12':
      return `"${limit.id}";a=${remaining};w=${toFieldInteger(reset)};c=${toFieldInteger(cost)}`;
  }
}

function toFieldInteger(value: number): number {
  return Math.min(value, LARGEST_FIELD_INTEGER);
}
