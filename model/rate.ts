// Rates as policies write them: `100/min`, `5/10s`, `1/30d`. The model reads them with its own code,
// because a limiter that misread a rate would otherwise be judged by its own mistake. Nothing is
// validated beyond what is needed to read: the limiter refuses bad policies at its edge.

/** A rate as it is written: whole tokens per whole milliseconds. */
export interface Rate {
  readonly tokens: number;
  readonly periodMs: number;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  min: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

const RATE = /^\s*(\d+)\s*\/\s*(\d*)\s*([a-z]+)\s*$/;

/**
 * Reads `tokens/period`, the period being `[count]unit` with the units ms, s, sec, min, h, hour, d
 * and day. A missing count is 1. Throws one sentence when the text is none of these.
 */
export function parseRate(text: string): Rate {
  const [, tokens, count, unit] = RATE.exec(text) ?? [];
  const unitMs = unit === undefined ? undefined : UNIT_MS[unit];
  if (tokens === undefined || unitMs === undefined) {
    throw new Error(`Expected a rate such as 100/min, got ${JSON.stringify(text)}.`);
  }
  return { tokens: Number(tokens), periodMs: Number(count || 1) * unitMs };
}
