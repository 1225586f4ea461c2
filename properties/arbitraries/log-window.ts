// A stretch of a log as the traffic of one scenario: as many requests as asked for, from a drawn
// place, moved to the run's start and squeezed into its time.

import type { Request } from '../../sim/scenario/scenario.ts';

export interface LogWindow {
  /** Requests to take, at most. */
  readonly atMost: number;
  /** Where the stretch lies, from 0 (the log's start) to 1 (its end). */
  readonly position: number;
  readonly horizonMs: number;
}

/** The stretch in order of time; a log that already fits into the horizon keeps its pace. */
export function cutLog(log: readonly Request[], window: LogWindow): Request[] {
  const first = Math.floor(window.position * Math.max(0, log.length - window.atMost));
  const stretch = log.slice(first, first + window.atMost);
  const startUs = stretch[0]?.atUs ?? 0;
  const spanUs = (stretch.at(-1)?.atUs ?? 0) - startUs;
  const pace = Math.min(1, (window.horizonMs * 1000) / Math.max(1, spanUs));
  return stretch.map((request) => ({
    ...request,
    atUs: Math.floor(((request.atUs - startUs) * pace) / 1000) * 1000,
  }));
}
