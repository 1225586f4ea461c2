// What the oracle keeps of operations, executions and buckets while it follows a run. Invariants read
// these and change nothing.

import {
  AdmissionBound,
  type BucketDecision,
  type BucketState,
  Ledger,
  type LimitReading,
} from '../../model/index.ts';
import type { KeyChange, Outcome } from '../../sim/run/history.ts';
import type { Request } from '../../sim/scenario/scenario.ts';
import type { StoredState } from '../state-codec.ts';
import type { HostRecord } from './disturbances.ts';

/** One call of `check` on one replica, and everything that has happened to it so far. */
export interface OperationRecord {
  readonly id: number;
  readonly request: Request;
  readonly attempt: number;
  /** Set when the check starts on a replica. */
  host: HostRecord | undefined;
  hostLife: number;
  startedUs: number;
  revision: number;
  /** The limit that decides it by the policies of its replica; `undefined`: none matches. */
  limit: LimitReading | undefined;
  bucket: BucketRecord | undefined;
  scriptsSent: number;
  sentUs: number;
  /** How many scripts were on their way to the store when its last one was sent. */
  scriptsAhead: number;
  /** How often the store did not know its script (NOSCRIPT). */
  scriptsUnknown: number;
  scriptsExecuted: number;
  /** The first execution that did not fail: the admission instant. Let go after the answer. */
  execution: Execution | undefined;
  settlements: number;
  settledUs: number;
  outcome: Outcome | undefined;
  error: string | undefined;
  answers: number;
  answeredAllowed: boolean;
  upstreams: number;
  /** Waits in its bucket's queue of admissions. */
  isPending: boolean;
  nextPending: OperationRecord | undefined;
  /** The one before it in its slot of the index of operations. */
  olderInSlot: OperationRecord | undefined;
}

/** How the store's key was found, compared with what the last execution left. */
export type Found =
  /** As it was left (also: never written and not there). */
  | 'as-left'
  /** Gone, and rightly: by the time it was gone the bucket was full. */
  | 'expired'
  /** Gone with everything the store had lost. */
  | 'lost'
  /** Gone although it still mattered. */
  | 'vanished'
  /** There, but not as this bucket's last execution left it. */
  | 'changed';

/** One script that ran on the store for an operation, and what the model says of it. */
export interface Execution {
  readonly operation: OperationRecord;
  readonly bucket: BucketRecord;
  readonly atUs: number;
  readonly storeMs: number;
  readonly clockGainMs: number;
  readonly change: KeyChange;
  readonly found: Found;
  /** The model's state before, and what the model decides. */
  readonly before: BucketState | undefined;
  readonly decision: BucketDecision;
  /** The state that lies in the store afterwards, decoded; `undefined`: no key. */
  readonly stored: StoredState | undefined;
  /** The bytes in the store are not a state. */
  readonly isUnreadable: boolean;
  /** The replica that decided before on this bucket was another one. */
  readonly isOtherReplica: boolean;
  /** The bucket's count of writes after it. */
  readonly writes: number;
  /** Whether a wait promised to an earlier, equal request was over (or not) by this time. */
  readonly promise: 'kept' | 'early' | undefined;
  readonly promisedMs: number | undefined;
}

/** A refusal's promise: the same request at `dueMs` succeeds, while nothing else writes. */
export interface RetryPromise {
  readonly cost: number;
  readonly revision: number;
  readonly dueMs: number;
  readonly writes: number;
}

/** One bucket as the policies identify it, whatever the store calls its key. */
export interface BucketRecord {
  readonly id: string;
  readonly limitId: string;
  key: string | undefined;
  /** The key before, when it has changed. */
  formerKey: string | undefined;
  /** Set when the key turns out to be another bucket's as well. */
  sharesKeyWith: string | undefined;
  /** The model's own state: it never reads the store's. */
  state: BucketState | undefined;
  /** What the last execution left in the store. */
  raw: string | undefined;
  stored: StoredState | undefined;
  /** Counts changes of the key or of the model's state. */
  writes: number;
  writtenUs: number;
  /** How many losses of the store the last execution had behind it, and the bound has allowed for. */
  losses: number;
  lossesInBound: number;
  promise: RetryPromise | undefined;
  /** The replica whose script ran last. */
  lastHost: HostRecord | undefined;
  readonly ledger: Ledger;
  readonly bound: AdmissionBound;
  /** Executions in store order whose checks have not all settled yet. */
  firstPending: OperationRecord | undefined;
  lastPending: OperationRecord | undefined;
}

export function createOperationRecord(
  id: number,
  request: Request,
  attempt: number,
): OperationRecord {
  return {
    id,
    request,
    attempt,
    host: undefined,
    hostLife: 0,
    startedUs: -1,
    revision: 0,
    limit: undefined,
    bucket: undefined,
    scriptsSent: 0,
    sentUs: -1,
    scriptsAhead: 0,
    scriptsUnknown: 0,
    scriptsExecuted: 0,
    execution: undefined,
    settlements: 0,
    settledUs: -1,
    outcome: undefined,
    error: undefined,
    answers: 0,
    answeredAllowed: false,
    upstreams: 0,
    isPending: false,
    nextPending: undefined,
    olderInSlot: undefined,
  };
}

export function createBucketRecord(id: string, limitId: string, losses: number): BucketRecord {
  return {
    id,
    limitId,
    key: undefined,
    formerKey: undefined,
    sharesKeyWith: undefined,
    state: undefined,
    raw: undefined,
    stored: undefined,
    writes: 0,
    writtenUs: -1,
    losses,
    lossesInBound: losses,
    promise: undefined,
    lastHost: undefined,
    ledger: new Ledger(),
    bound: new AdmissionBound(),
    firstPending: undefined,
    lastPending: undefined,
  };
}
