// The oracle of one run. It follows the history, and at every script the store executes it executes
// the model, in the store's order and at the store's time; so for each operation it knows what had to
// be decided. All invariants share it: the model runs once per execution.
//
// The model keeps its own state of every bucket. From the store it takes only the time and whether the
// key was there: a key may be gone because it expired or because the store lost its data, and the
// oracle judges whether that was right. It never believes the store's figures.
//
// Handle an event here first, then hand it to the invariants: they read `operation` (whom the event is
// about) and `execution` (what the script did), which hold for the present event only.

import {
  type BucketState,
  decideTokenBucket,
  fullAtMs,
  type LimitReading,
  type PolicyReading,
} from '../model/index.ts';
import type { HistoryEventOf, KeyChange } from '../sim/run/history.ts';
import type { Handlers } from '../sim/run/invariant.ts';
import type { Scenario } from '../sim/scenario/scenario.ts';
import type { Subject } from '../sim/subject.ts';
import { AdmissionQueue } from './oracle/admission-queue.ts';
import { BucketIndex } from './oracle/bucket-index.ts';
import { Disturbances } from './oracle/disturbances.ts';
import { OperationIndex } from './oracle/operation-index.ts';
import { PolicyReader } from './oracle/policy-reader.ts';
import {
  type BucketRecord,
  createOperationRecord,
  type Execution,
  type Found,
  type OperationRecord,
  type RetryPromise,
} from './oracle/records.ts';
import { StoreClock } from './oracle/store-clock.ts';
import { decodeState } from './state-codec.ts';

export class Oracle {
  /** The operation the present event is about; `undefined` for an unknown one. */
  operation: OperationRecord | undefined;
  /** The execution the present `script-executed` event is about, when it belongs to a bucket. */
  execution: Execution | undefined;
  readonly operations = new OperationIndex();
  readonly buckets = new BucketIndex();
  readonly disturbances = new Disturbances();
  readonly clock = new StoreClock();
  readonly admissions = new AdmissionQueue();
  /** Scripts handed to the network that have not run (some never will). */
  #scriptsOutstanding = 0;
  readonly #policies: PolicyReader;
  readonly #bucketOfKey = new Map<string, BucketRecord>();
  #scenario: Scenario | undefined;
  #losses = 0;

  constructor(contract?: Subject['contract']) {
    this.#policies = new PolicyReader(contract);
  }

  get scenario(): Scenario {
    if (this.#scenario === undefined) throw new Error('Expected run-started to come first.');
    return this.#scenario;
  }

  /** The policies every replica began with. */
  get initialPolicies(): PolicyReading {
    return this.#policies.read(this.scenario.policies).policies;
  }

  readonly handlers: Handlers = {
    'run-started': ({ scenario }) => {
      this.#scenario = scenario;
    },
    request: (event) => {
      this.operation = createOperationRecord(event.operation, event.request, event.attempt);
      this.operations.add(this.operation);
    },
    'check-started': (event) => this.#startCheck(event),
    'script-sent': ({ operation, atUs }) => {
      const ahead = this.#scriptsOutstanding;
      this.#scriptsOutstanding += 1;
      const record = this.#select(operation);
      if (record === undefined) return;
      record.scriptsSent += 1;
      record.scriptsAhead = ahead;
      record.sentUs = atUs;
    },
    'script-executed': (event) => this.#execute(event),
    'check-settled': (event) => this.#settle(event),
    answered: ({ operation, allowed, by }) => {
      const record = this.#select(operation);
      if (record === undefined) return;
      record.answers += 1;
      if (by === 'replica' && allowed && record.answers === 1) record.answeredAllowed = true;
      // Nobody asks for it any more; letting it go early is much cheaper than late.
      if (record.settlements > 0 && !record.isPending) record.execution = undefined;
    },
    upstream: ({ operation }) => {
      const record = this.#select(operation);
      if (record !== undefined) record.upstreams += 1;
    },
    fault: (event) => this.#followFault(event),
    host: (event) => this.disturbances.followHost(event),
    'store-lost': () => {
      this.#losses += 1;
    },
    'run-ended': () => {
      this.operation = undefined;
    },
  };

  /** Whether the process that ran this check has ended without an answer. */
  hasVanished(operation: OperationRecord): boolean {
    return operation.host !== undefined && operation.host.life !== operation.hostLife;
  }

  #select(id: number): OperationRecord | undefined {
    // Events of one operation often follow each other.
    if (this.operation?.id !== id) this.operation = this.operations.find(id);
    return this.operation;
  }

  #startCheck(event: HistoryEventOf<'check-started'>): void {
    let record = this.#select(event.operation);
    if (record === undefined) {
      record = createOperationRecord(event.operation, event.request, 1);
      this.operations.add(record);
      this.operation = record;
    }
    const policies = this.#policies.read(event.policies);
    const limit = policies.match(event.request);
    record.host = this.disturbances.host(event.host);
    record.hostLife = record.host.life;
    record.startedUs = event.atUs;
    record.revision = policies.revision;
    record.limit = limit;
    if (limit?.parameters === undefined) return;
    record.bucket = this.buckets.find(limit, event.request, this.#losses);
  }

  #execute(event: HistoryEventOf<'script-executed'>): void {
    const record = this.#select(event.operation);
    this.execution = undefined;
    this.#scriptsOutstanding = Math.max(0, this.#scriptsOutstanding - 1);
    this.clock.read(event.storeMs, event.atUs);
    if (record?.host !== undefined) this.disturbances.followScript(record.host, event.atUs);
    if (event.failed) {
      if (record !== undefined && event.keys.length === 0) record.scriptsUnknown += 1;
      return;
    }
    const change = event.keys[0];
    if (record === undefined) {
      this.#adoptUnknown(event);
      return;
    }
    record.scriptsExecuted += 1;
    const { bucket, limit } = record;
    if (bucket === undefined || limit === undefined || change === undefined) return;
    this.execution = this.#judge(event, record, bucket, limit, change);
    if (record.scriptsExecuted === 1 && this.execution !== undefined) {
      record.execution = this.execution;
      this.admissions.executed(bucket, record);
    }
  }

  #judge(
    event: HistoryEventOf<'script-executed'>,
    operation: OperationRecord,
    bucket: BucketRecord,
    limit: LimitReading,
    change: KeyChange,
  ): Execution | undefined {
    const { parameters } = limit;
    if (parameters === undefined) return undefined;
    const { storeMs, atUs } = event;
    this.#bindKey(bucket, change.key);
    const found = this.#find(bucket, change.before, storeMs);
    if (found !== 'as-left') bucket.promise = undefined;
    if (found === 'expired' || found === 'lost') bucket.state = undefined;
    bucket.losses = this.#losses;

    const { cost } = operation.request;
    const { revision } = operation;
    const before = bucket.state;
    const decision = decideTokenBucket(before, { revision, parameters, cost, nowMs: storeMs });
    if (decision.written) {
      bucket.ledger.enter(decision, cost);
      bucket.state = decision.state;
    }
    const promisedMs = findPromise(bucket, operation)?.dueMs;
    const isUnchanged = change.after === bucket.raw;
    const stored = isUnchanged ? bucket.stored : decode(change.after);
    if (!isUnchanged || decision.written) {
      bucket.raw = change.after;
      bucket.stored = stored;
      bucket.writes += 1;
      bucket.writtenUs = atUs;
    }
    const isOtherReplica = bucket.lastHost !== undefined && bucket.lastHost !== operation.host;
    bucket.lastHost = operation.host;
    return {
      operation,
      bucket,
      atUs,
      storeMs,
      clockGainMs: this.clock.gainMs(atUs),
      change,
      found,
      before,
      decision,
      stored,
      isUnreadable: change.after !== undefined && stored === undefined,
      isOtherReplica,
      writes: bucket.writes,
      promise: promisedMs === undefined ? undefined : storeMs >= promisedMs ? 'kept' : 'early',
      promisedMs,
    };
  }

  /** Holds each bucket to one key and each key to one bucket. */
  #bindKey(bucket: BucketRecord, key: string): void {
    if (bucket.key === key) return;
    const other = this.#bucketOfKey.get(key);
    if (other === undefined) this.#bucketOfKey.set(key, bucket);
    else if (other !== bucket) bucket.sharesKeyWith = other.id;
    bucket.formerKey = bucket.key;
    bucket.key = key;
  }

  #find(bucket: BucketRecord, before: string | undefined, storeMs: number): Found {
    if (before === bucket.raw) return 'as-left';
    if (before !== undefined) return 'changed';
    if (bucket.losses !== this.#losses) return 'lost';
    return bucket.state === undefined || this.#isFullBy(bucket, bucket.state, storeMs)
      ? 'expired'
      : 'vanished';
  }

  /** Whether the bucket was full at this time, or the store's clock has stood where it was. */
  #isFullBy(bucket: BucketRecord, state: BucketState, storeMs: number): boolean {
    const fullMs = fullAtMs(state);
    return storeMs >= fullMs || this.clock.hasStoodAt(fullMs, bucket.writtenUs);
  }

  /** A script nobody asked for wrote: what it left is what the next execution has to find. */
  #adoptUnknown(event: HistoryEventOf<'script-executed'>): void {
    for (const { key, before, after } of event.keys) {
      const bucket = this.#bucketOfKey.get(key);
      if (bucket === undefined || before === after) continue;
      bucket.raw = after;
      bucket.stored = decode(after);
      bucket.writes += 1;
    }
  }

  #settle(event: HistoryEventOf<'check-settled'>): void {
    const record = this.#select(event.operation);
    if (record === undefined) return;
    record.settlements += 1;
    if (record.settlements > 1) return;
    record.settledUs = event.atUs;
    record.outcome = event.outcome;
    record.error = event.error;
    this.#followSettlement(record);
    this.#keepPromise(record);
    const clockGainMs = this.clock.gainMs(event.atUs);
    this.admissions.settled(record, { clockGainMs, losses: this.#losses });
  }

  #followSettlement(record: OperationRecord): void {
    const { outcome, execution, bucket } = record;
    if (bucket === undefined) return;
    const isAnswered =
      execution !== undefined && outcome !== undefined && isDecidedByStore(outcome);
    this.disturbances.followSettlement(record, isAnswered);
  }

  /** Remembers when a refused request may come again, unless something has been written since. */
  #keepPromise({ execution, outcome, revision, request }: OperationRecord): void {
    if (execution === undefined || outcome?.retryAfterMs === undefined || outcome.allowed) return;
    if (!isDecidedByStore(outcome)) return;
    const { bucket, storeMs } = execution;
    if (bucket.writes !== execution.writes) return;
    bucket.promise = {
      cost: request.cost,
      revision,
      dueMs: storeMs + outcome.retryAfterMs,
      writes: bucket.writes,
    };
  }

  #followFault(event: HistoryEventOf<'fault'>): void {
    this.disturbances.followFault(event);
    const { fault, atUs } = event;
    if (fault.kind === 'clock-step' && fault.host === 'redis') this.clock.step(fault.ms, atUs);
    if (fault.kind === 'clock-drift' && fault.host === 'redis') {
      this.clock.setDrift(fault.ppm, atUs);
    }
  }
}

/** An answer is the store's own when it says so, or says nothing and is no failure of the store. */
export function isDecidedByStore(outcome: {
  readonly source?: string | undefined;
  readonly reason?: string | undefined;
}): boolean {
  if (outcome.source !== undefined) return outcome.source === 'store';
  return outcome.reason !== 'store-unavailable';
}

function decode(raw: string | undefined): ReturnType<typeof decodeState> {
  return raw === undefined ? undefined : decodeState(raw);
}

/** What an earlier refusal promised this very request, if nothing has been written since. */
function findPromise(
  { promise, writes }: BucketRecord,
  { request, revision }: OperationRecord,
): RetryPromise | undefined {
  if (promise === undefined || promise.writes !== writes) return undefined;
  return promise.cost === request.cost && promise.revision === revision ? promise : undefined;
}
