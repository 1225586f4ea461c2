// When the marks of one run are reached: at scripts that decided about a bucket, at checks that settle,
// at answers and at the run's end. Every decision passes through here and hardly any is remarkable, so
// the conditions stand in a row; a function for each of them would cost more than all of them do.

import { add, type BucketParameters } from '../../model/index.ts';
import type { Handlers } from '../../sim/run/invariant.ts';
import type { Stream } from '../../sim/scenario/scenario.ts';
import type { Execution, OperationRecord } from '../oracle/records.ts';
import { isDecidedByStore, type Oracle } from '../oracle.ts';
import type { decisionMarks } from './decision-marks.ts';
import type { troubleMarks } from './trouble-marks.ts';

export type MarkName =
  | (typeof decisionMarks)[number]['name']
  | (typeof troubleMarks)[number]['name'];

type BoundaryStream = Extract<Stream, { kind: 'boundary' }>;

export class MarkFollower {
  readonly #oracle: Oracle;
  readonly #reach: (mark: MarkName) => void;
  #boundaries: readonly BoundaryStream[] | undefined;

  /** `reach` is called every time a mark is reached. */
  constructor(oracle: Oracle, reach: (mark: MarkName) => void) {
    this.#oracle = oracle;
    this.#reach = reach;
  }

  readonly handlers: Handlers = {
    'script-executed': () => {
      const { execution } = this.#oracle;
      if (execution === undefined) return;
      this.#followBucket(execution);
      this.#followStore(execution);
      this.#followPolicy(execution);
    },
    'check-settled': () => {
      const { operation } = this.#oracle;
      if (operation === undefined) return;
      this.#followAnswer(operation);
      this.#followWait(operation);
    },
    answered: ({ by }) => {
      if (by === 'gateway-deadline') this.#reach('gateway-gave-up');
    },
    'run-ended': () => this.#followEnd(),
  };

  #followBucket({ decision, before, stored, storeMs, atUs, operation }: Execution): void {
    const { cost } = operation.request;
    if (decision.allowed && decision.seen.units === 0) this.#reach('bucket-exactly-empty');
    if (before !== undefined) {
      const { units, parameters } = before;
      if (
        cost > 0 &&
        !decision.isRevised &&
        units < parameters.capacityUnits &&
        add(units, decision.refilledUnits) === parameters.capacityUnits
      ) {
        this.#reach('bucket-full-again');
      }
      if (before.lastMs === storeMs) this.#reach('same-millisecond');
      if (this.#isAcrossBoundary(atUs / 1000, storeMs - before.lastMs)) {
        this.#reach('boundary-burst');
      }
    }
    if (decision.reason === 'rate-limited') this.#reach('refused');
    if (decision.reason === 'cost-exceeds-capacity') this.#reach('cost-above-capacity');
    if (cost === 0) this.#reach('peek');
    if (stored !== undefined && stored.remainder > 0) this.#reach('remainder-kept');
  }

  #followStore(execution: Execution): void {
    const { found, decision, clockGainMs, operation } = execution;
    if (execution.isOtherReplica) this.#reach('replicas-share-bucket');
    if (found === 'expired' && decision.written) this.#reach('key-expired');
    if (found === 'lost') this.#reach('store-lost-data');
    if (execution.promise === 'early') this.#reach('retry-too-early');
    if (decision.isClamped) this.#reach('clock-clamped');
    if (decision.isReanchored) this.#reach('re-anchored');
    if (clockGainMs > 0 && decision.refilledUnits > 0) this.#reach('store-clock-gained');
    if (operation.settlements > 0) this.#reach('executed-after-settle');
  }

  #followPolicy({ decision, before, operation }: Execution): void {
    const { revision, limit } = operation;
    const { seen } = decision;
    if (decision.isRevised && decision.written) {
      if (hasGrown(before?.parameters, seen.parameters)) this.#reach('policy-raised');
      if (hasGrown(seen.parameters, before?.parameters)) this.#reach('policy-lowered');
    }
    if (revision < seen.revision) this.#reach('older-revision');
    if (revision === seen.revision && limit?.parameters?.capacity !== seen.parameters.capacity) {
      this.#reach('same-revision-differs');
    }
    if (decision.isNew && limit !== undefined) {
      const old = this.#oracle.initialPolicies.limits.find(({ id }) => id === limit.id);
      if (old !== undefined && old.periodMs !== limit.periodMs) this.#reach('period-changed');
    }
  }

  #followAnswer({ outcome, limit, execution, scriptsUnknown }: OperationRecord): void {
    if (outcome === undefined) return;
    const { allowed, reason, source } = outcome;
    if (reason === 'limit-zero') this.#reach('limit-zero');
    if (limit === undefined && allowed) this.#reach('no-limit-matched');
    if (execution === undefined) return;
    if (execution.promise === 'kept' && allowed && isDecidedByStore(outcome)) {
      this.#reach('retry-after-kept');
    }
    if (reason === 'store-unavailable' && execution.decision.allowed) {
      this.#reach('reply-lost-after-execution');
    }
    if (scriptsUnknown > 0 && source === 'store') this.#reach('noscript-recovered');
  }

  #followWait(operation: OperationRecord): void {
    const { outcome, execution, host, startedUs, settledUs, sentUs } = operation;
    const { deadlineMs } = this.#oracle.scenario.knobs;
    if (execution?.promise === 'kept' && execution.promisedMs === execution.storeMs) {
      this.#reach('retry-after-exact');
    }
    if (settledUs - startedUs > deadlineMs * 1200 + 2000) this.#reach('settled-after-pause');
    if (outcome === undefined) return;
    if (operation.scriptsSent === 1 && sentUs > startedUs && outcome.source === 'store') {
      this.#reach('waited-for-ready');
    }
    if (outcome.reason === 'store-unavailable') {
      if (settledUs - startedUs >= deadlineMs * 900) this.#reach('deadline-reached');
      if (settledUs === startedUs) this.#reach('unavailable-at-once');
    }
    if (
      host?.answeredUs === settledUs &&
      isDecidedByStore(outcome) &&
      this.#oracle.disturbances.troubledUntilUs(host) > 0
    ) {
      this.#reach('recovered');
    }
  }

  #followEnd(): void {
    for (const operation of this.#oracle.operations.all()) {
      if (operation.settlements > 0 || !this.#oracle.hasVanished(operation)) continue;
      this.#reach('check-vanished');
      return;
    }
  }

  /** Whether a window of some stream ended between now and this many milliseconds ago. */
  #isAcrossBoundary(nowMs: number, elapsedMs: number): boolean {
    this.#boundaries ??= findBoundaries(this.#oracle);
    const previousMs = nowMs - elapsedMs;
    for (const { windowMs, gapMs } of this.#boundaries) {
      const isAcross = Math.floor(nowMs / windowMs) > Math.floor(previousMs / windowMs);
      if (isAcross && elapsedMs <= 2 * gapMs + 20) return true;
    }
    return false;
  }
}

function findBoundaries({ scenario }: Oracle): BoundaryStream[] {
  const { workload } = scenario;
  if (workload.kind !== 'streams') return [];
  return workload.streams.filter((stream) => stream.kind === 'boundary');
}

function hasGrown(from: BucketParameters | undefined, to: BucketParameters | undefined): boolean {
  return from !== undefined && to !== undefined && to.capacity > from.capacity;
}
