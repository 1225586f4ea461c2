// The rate notation: how many tokens in which period, such as `100/min`, `5/10s` or `1/30d`.

/** A rate as written: `tokens` whole tokens in every `periodMs` milliseconds. */
export interface Rate {
  readonly tokens: number;
  readonly periodMs: number;
}

/** The phrase an error shows for a rate that cannot be read. */
export const RATE_EXPECTED = 'a rate N/period such as 100/min, 5/10s or 1/30d';

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['sec', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['hour', 3_600_000],
  ['d', 86_400_000],
  ['day', 86_400_000],
]);

const RATE = /^(\d{1,16}) ?\/ ?(\d{0,16}) ?([a-z]+)$/;

/**
 * Reads a rate. The period is an optional whole count and one of ms, s, sec, min, h, hour, d, day.
 * Answers `undefined` for anything else, also for a period of 0 and for numbers past 2^53.
 */
export function parseRate(text: string): Rate | undefined {
  const [, tokensText, countText, unit] = RATE.exec(text.trim()) ?? [];
  const unitMs = unit === undefined ? undefined : UNIT_MS.get(unit);
  if (tokensText === undefined || unitMs === undefined) {
    return undefined;
  }
  const tokens = Number(tokensText);
  const periodMs = (countText === '' ? 1 : Number(countText)) * unitMs;
  if (!Number.isSafeInteger(tokens) || !Number.isSafeInteger(periodMs) || periodMs < 1) {
    return undefined;
  }
  return { tokens, periodMs };
}
