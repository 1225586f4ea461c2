// A check settles exactly once, with a decision, within its deadline, whatever happens. A process that
// stands still cannot settle; it does as soon as it goes on. A check whose process has ended is gone.
// Deadlines are measured by the host's own clock, which may run slow.

import { latestDeadlineUs } from '../oracle/availability.ts';
import type { OperationRecord } from '../oracle/records.ts';
import type { Invariant } from './invariant.ts';

/** Timers count whole milliseconds and may begin late by one. */
const EPSILON_US = 2000;

export const settlesOnceWithinDeadline: Invariant = {
  name: 'settles-once-within-deadline',
  sentence: 'Every check settles exactly once, with a decision, within its deadline.',
  create: ({ oracle, evaluated, violate }) => ({
    'check-settled': ({ operation: settled, atUs, error }) => {
      const { operation } = oracle;
      evaluated();
      // Every check that began is known until it is finished, and so has settled.
      if (operation === undefined) {
        violate(`Operation ${settled} has settled twice.`, atUs);
        return;
      }
      const { id, settlements, startedUs } = operation;
      if (settlements > 1) violate(`Operation ${id} has settled twice.`, atUs);
      if (error !== undefined) violate(`Operation ${id} settled with an error: ${error}`, atUs);
      const latestUs = findLatestUs(operation, oracle.scenario.knobs.deadlineMs);
      if (atUs > latestUs) {
        violate(
          `Operation ${id} settled ${(atUs - startedUs) / 1000} ms after it began, ` +
            `${(atUs - latestUs) / 1000} ms too late.`,
          atUs,
        );
      }
    },
    'run-ended': ({ unsettled, ending, atUs }) => {
      if (ending !== 'done') return;
      evaluated();
      const [first] = unsettled;
      if (first !== undefined) {
        violate(`${unsettled.length} checks never settled, operation ${first} the first.`, atUs);
      }
    },
  }),
};

function findLatestUs({ host, startedUs }: OperationRecord, deadlineMs: number): number {
  if (host === undefined) return Number.POSITIVE_INFINITY;
  const latestUs = latestDeadlineUs(host, startedUs, deadlineMs) + EPSILON_US;
  const isPaused = host.pauseEndUs >= startedUs && host.pauseBeginUs <= latestUs;
  return isPaused ? Math.max(latestUs, host.pauseEndUs + EPSILON_US) : latestUs;
}
