// When a limiter may say that the store is unavailable. It may while something is wrong, for a bounded
// time afterwards, and when the store simply was not fast enough for the deadline. It may not when it
// gives up early, never asks, or drops an answer that had the time to arrive.

import type { Oracle } from '../oracle.ts';
import type { HostRecord } from './disturbances.ts';
import type { OperationRecord } from './records.ts';

/** How long after the last trouble every check must be answered by the store again. */
export const RECOVERY_MS = 5000;

/** A millisecond timer may fire this much earlier than its time is over on the true clock. */
const TIMER_SLACK_US = 1500;

/** Beyond the mean of an exponential tail by this factor: once in 10^13 messages. */
const TAIL_FACTOR = 30;

/** Whether nothing has been wrong for this check since `marginMs` before it started. */
export function isUntroubled(oracle: Oracle, operation: OperationRecord, marginMs = 0): boolean {
  const { host, startedUs } = operation;
  if (host === undefined || oracle.hasVanished(operation)) return false;
  return startedUs > oracle.disturbances.troubledUntilUs(host) + marginMs * 1000;
}

/** Whether, since the last trouble, this check's host had had an answer before the check began. */
export function isHostReady(oracle: Oracle, { host, startedUs }: OperationRecord): boolean {
  if (host?.answeredUs === undefined) return false;
  return (
    host.answeredUs > oracle.disturbances.troubledUntilUs(host) && startedUs >= host.answeredUs
  );
}

/** Why an untroubled check had no reason to fail, as the end of a sentence; undefined if it had. */
export function findUnexcused(oracle: Oracle, operation: OperationRecord): string | undefined {
  const { host, startedUs, settledUs, scriptsSent, sentUs, execution } = operation;
  if (host === undefined) return undefined;
  const { knobs, topology } = oracle.scenario;
  const waitedMs = (settledUs - startedUs) / 1000;
  if (settledUs < earliestDeadlineUs(host, startedUs, knobs.deadlineMs)) {
    return `gave up after ${waitedMs} ms of ${knobs.deadlineMs} ms`;
  }
  if (scriptsSent === 0) return `never asked the store in ${waitedMs} ms`;
  const { minUs, tailUs } = topology.storeLink;
  const messageUs = minUs + TAIL_FACTOR * tailUs + 1000;
  if (execution !== undefined) {
    const spareUs = settledUs - execution.atUs - topology.scriptUs - messageUs;
    return spareUs > 0 ? `was decided ${spareUs / 1000} ms before it had to be` : undefined;
  }
  const backlogUs = (operation.scriptsAhead + 1) * (topology.scriptUs + topology.commandUs);
  const waitingUs = settledUs - sentUs;
  if (operation.scriptsUnknown === 0 && waitingUs > messageUs + 2 * backlogUs) {
    return `had its script on the way for ${waitingUs / 1000} ms`;
  }
  return undefined;
}

/** When the deadline of a check can fire at the earliest, on a host whose clock may run fast. */
function earliestDeadlineUs(host: HostRecord, startedUs: number, deadlineMs: number): number {
  return startedUs + (deadlineMs * 1000) / (1 + host.fastestPpm / 1e6) - TIMER_SLACK_US;
}

/** When it must have fired at the latest, were the host never paused. */
export function latestDeadlineUs(host: HostRecord, startedUs: number, deadlineMs: number): number {
  return startedUs + (deadlineMs * 1000) / (1 + host.slowestPpm / 1e6);
}
