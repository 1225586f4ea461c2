// Feeds the admission bound. What counts is the instant of the debit at the store; but whether a
// request was admitted is known only when its check settles, and checks settle in another order. So
// executions wait here, per bucket and in store order, until each one's outcome is known. A request
// whose check timed out or whose process died was not admitted, although its debit happened.

import type { Admission } from '../../model/index.ts';
import type { BucketRecord, OperationRecord } from './records.ts';

/** Told of every admission that has entered its bucket's bound. */
export type OnAdmission = (
  bucket: BucketRecord,
  operation: OperationRecord,
  holds: boolean,
) => void;

/** What has become of the store by now: both allow admissions that time alone does not. */
export interface StoreSituation {
  readonly clockGainMs: number;
  /** How often it has lost its data. */
  readonly losses: number;
}

export class AdmissionQueue {
  onAdmission: OnAdmission = () => {};

  executed(bucket: BucketRecord, operation: OperationRecord): void {
    if (bucket.lastPending === undefined) bucket.firstPending = operation;
    else bucket.lastPending.nextPending = operation;
    bucket.lastPending = operation;
    operation.isPending = true;
    this.#drain(bucket);
  }

  settled(operation: OperationRecord, store: StoreSituation): void {
    const { bucket, outcome } = operation;
    if (bucket === undefined) return;
    this.#drain(bucket);
    if (operation.scriptsExecuted > 0 || outcome?.allowed !== true) return;
    this.#admitUnscripted(bucket, operation, store);
  }

  /** At the end of a run nothing more can settle. */
  flush(bucket: BucketRecord): void {
    this.#drain(bucket, true);
  }

  #drain(bucket: BucketRecord, isOver = false): void {
    let operation = bucket.firstPending;
    while (operation !== undefined) {
      const { host, hostLife, settlements } = operation;
      if (settlements === 0 && host?.life === hostLife && !isOver) break;
      this.#admitExecuted(bucket, operation);
      operation.isPending = false;
      const next: OperationRecord | undefined = operation.nextPending;
      operation.nextPending = undefined;
      operation = next;
    }
    bucket.firstPending = operation;
    if (operation === undefined) bucket.lastPending = undefined;
  }

  #admitExecuted(bucket: BucketRecord, operation: OperationRecord): void {
    const { execution, outcome, request } = operation;
    if (execution === undefined) return;
    const { decision } = execution;
    // A look admits nothing.
    const isAdmitted = outcome?.allowed === true && request.cost > 0;
    const isLost = execution.found === 'lost';
    if (isLost) bucket.lossesInBound = bucket.losses;
    const isRevised = decision.written && (decision.isRevised || decision.isNew);
    // A refusal is no admission, but a loss or another policy counts from its instant on.
    if (!isAdmitted && !isLost && !isRevised) return;
    const admission: Admission = {
      atUs: execution.atUs,
      cost: isAdmitted ? request.cost : 0,
      parameters: decision.seen.parameters,
      clockGainMs: execution.clockGainMs,
      isLost,
      uncertainUs: 0,
    };
    const holds = bucket.bound.admit(admission);
    if (isAdmitted) this.onAdmission(bucket, operation, holds);
  }

  /**
   * Admitted although no script ran: a limiter that decides with plain commands, or by itself. When
   * it took its tokens is not known, only that it was while the check lasted; it counts from the end.
   */
  #admitUnscripted(
    bucket: BucketRecord,
    operation: OperationRecord,
    { clockGainMs, losses }: StoreSituation,
  ): void {
    const parameters = bucket.state?.parameters ?? operation.limit?.parameters;
    if (parameters === undefined || operation.request.cost === 0) return;
    const isLost = bucket.lossesInBound !== losses;
    bucket.lossesInBound = losses;
    const holds = bucket.bound.admit({
      atUs: operation.settledUs,
      cost: operation.request.cost,
      parameters,
      clockGainMs,
      isLost,
      uncertainUs: operation.settledUs - operation.startedUs,
    });
    this.onAdmission(bucket, operation, holds);
  }
}
