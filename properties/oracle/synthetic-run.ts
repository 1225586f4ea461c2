// A made-up run: history events as an honest limiter would cause them, written without simulator or
// limiter, so that tests can spoil exactly one thing and see which invariant notices. Times and bytes
// are as documented; the decisions come from the model.

import {
  type BucketState,
  decideTokenBucket,
  divideDown,
  findLimit,
  fullAtMs,
  identifyBucket,
  multiply,
  readPolicies,
  subtract,
} from '../../model/index.ts';
import { Dispatcher } from '../../sim/run/dispatcher.ts';
import type { HistoryEvent, HistoryEventOf, Outcome } from '../../sim/run/history.ts';
import type { Violation } from '../../sim/run/invariant.ts';
import {
  type Fault,
  type Request,
  type Scenario,
  scenarioSchema,
} from '../../sim/scenario/scenario.ts';
import type { Subject } from '../../sim/subject.ts';
import { createCheckersFor } from '../invariants/index.ts';
import { encodeState } from '../state-codec.ts';

const EPOCH_MS = 1_767_225_600_000;

/** What a test changes about one check; everything else is as an honest limiter has it. */
export interface CheckOptions {
  readonly atMs: number;
  readonly cost?: number;
  readonly tenant?: string;
  readonly host?: string;
  readonly path?: string;
  readonly policies?: unknown;
  /** The store's clock at the execution, relative to the run's start; default: true time. */
  readonly storeAtMs?: number;
  readonly key?: string;
  /** Changes the state before it is written; `undefined` writes none. */
  readonly store?: (after: BucketState) => BucketState | undefined;
  readonly writesAnyway?: boolean;
  readonly bytes?: string;
  readonly expires?: (fullMs: number) => number | undefined;
  readonly outcome?: (honest: Outcome) => Outcome | undefined;
  readonly error?: string;
  /** Milliseconds from the start of the check to its end. Default 2. */
  readonly takesMs?: number;
  /** Leaves out the script, as a check that never reached the store. */
  readonly isUnsent?: boolean;
  readonly answered?: boolean;
  readonly isSentToUpstream?: boolean;
}

interface Stored {
  readonly state: BucketState;
  readonly raw: string;
  readonly expiresAtMs: number | undefined;
}

export class SyntheticRun {
  readonly events: HistoryEvent[] = [];
  readonly store = new Map<string, Stored>();
  readonly scenario: Scenario;
  #nextId = 1;

  constructor(policies: unknown, faults: readonly Fault[] = []) {
    this.scenario = createScenario(policies, faults);
    this.events.push({ kind: 'run-started', atUs: 0, scenario: this.scenario });
  }

  add(event: HistoryEvent): void {
    this.events.push(event);
  }

  /** One whole check, from request to upstream. Answers its operation id. */
  check(options: CheckOptions): number {
    const operation = this.#nextId;
    this.#nextId += 1;
    const { atMs, takesMs = 2 } = options;
    const atUs = atMs * 1000;
    const request = createRequest(operation, options);
    const policies = options.policies ?? this.scenario.policies;
    const host = options.host ?? 'replica-0';
    this.add({ kind: 'request', atUs, operation, request, attempt: 1 });
    this.add({ kind: 'check-started', atUs, operation, request, host, incarnation: 0, policies });
    const honest = options.isUnsent === true ? UNAVAILABLE : this.#ask(operation, request, options);
    const outcome = options.outcome === undefined ? honest : options.outcome(honest);
    const error = options.error;
    const settled = { operation, host, outcome: error === undefined ? outcome : undefined, error };
    this.add({ kind: 'check-settled', atUs: atUs + takesMs * 1000, ...settled });
    const allowed = options.answered ?? outcome?.allowed === true;
    const answeredUs = atUs + takesMs * 1000 + 200;
    this.add({ kind: 'answered', atUs: answeredUs, operation, allowed, by: 'replica' });
    if (options.isSentToUpstream ?? allowed) {
      this.add({ kind: 'upstream', atUs: answeredUs + 200, operation });
    }
    return operation;
  }

  /** Only the beginning of a check. */
  begin(atMs: number, host = 'replica-0'): number {
    const operation = this.#nextId;
    this.#nextId += 1;
    const request = createRequest(operation, { atMs });
    const { policies } = this.scenario;
    const atUs = atMs * 1000;
    this.add({ kind: 'request', atUs, operation, request, attempt: 1 });
    this.add({ kind: 'check-started', atUs, operation, request, host, incarnation: 0, policies });
    return operation;
  }

  sent(operation: number, atMs: number, host = 'replica-0'): void {
    this.add({ kind: 'script-sent', atUs: atMs * 1000, operation, host, command: 'evalsha' });
  }

  /** A script that ran and changed nothing. */
  executed(operation: number, atMs: number, failed = false): void {
    const storeMs = EPOCH_MS + atMs;
    const atUs = atMs * 1000;
    this.add({ kind: 'script-executed', atUs, operation, storeMs, failed, keys: [] });
  }

  lose(atMs: number): void {
    this.store.clear();
    this.add({ kind: 'store-lost', atUs: atMs * 1000 });
  }

  fault(fault: Fault, phase: 'begin' | 'end' = 'begin'): void {
    const endMs = 'durationMs' in fault ? fault.durationMs : 0;
    const atUs = (fault.atMs + (phase === 'end' ? endMs : 0)) * 1000;
    this.add({ kind: 'fault', atUs, fault, phase });
  }

  end(atMs: number, rest: Partial<HistoryEventOf<'run-ended'>> = {}): this {
    const atUs = atMs * 1000;
    this.add({ kind: 'run-ended', atUs, ending: 'done', left: [], unsettled: [], ...rest });
    return this;
  }

  #ask(operation: number, request: Request, options: CheckOptions): Outcome {
    const reading = readPolicies(options.policies ?? this.scenario.policies);
    const limit = findLimit(reading, request);
    if (limit === undefined) return { allowed: true, source: 'none' };
    const { parameters } = limit;
    if (parameters === undefined) return { allowed: false, reason: 'limit-zero', source: 'none' };
    const key = options.key ?? `weir:${identifyBucket(limit, request)}`;
    const { revision } = reading;
    const storeMs = EPOCH_MS + (options.storeAtMs ?? options.atMs + 1);
    const found = this.#read(key, storeMs);
    const decision = decideTokenBucket(found?.state, {
      revision,
      parameters,
      cost: request.cost,
      nowMs: storeMs,
    });
    this.sent(operation, options.atMs, options.host);
    const isWritten = options.writesAnyway ?? decision.written;
    if (isWritten) this.#write(key, options, decision.seen);
    const after = this.store.get(key);
    this.add({
      kind: 'script-executed',
      atUs: (options.atMs + 1) * 1000,
      operation,
      storeMs,
      failed: false,
      keys: [{ key, before: found?.raw, after: after?.raw, expiresAtMs: after?.expiresAtMs }],
    });
    const { allowed, reason, remaining, retryAfterMs, resetMs } = decision;
    return { allowed, reason, remaining, retryAfterMs, resetMs, source: 'store' };
  }

  #read(key: string, storeMs: number): Stored | undefined {
    const found = this.store.get(key);
    if (found?.expiresAtMs === undefined || storeMs <= found.expiresAtMs) return found;
    this.store.delete(key);
    return undefined;
  }

  #write(key: string, options: CheckOptions, seen: BucketState): void {
    const state = options.store === undefined ? seen : options.store(seen);
    if (state === undefined) return;
    const fullMs = fullAtMs(seen);
    const expiresAtMs = options.expires === undefined ? fullMs : options.expires(fullMs);
    this.store.set(key, { state, raw: options.bytes ?? packState(state), expiresAtMs });
  }
}

export interface Judgement {
  readonly violations: readonly Violation[];
  readonly broken: readonly string[];
  readonly evaluations: Readonly<Record<string, number>>;
  readonly reached: Readonly<Record<string, number>>;
  readonly overshoot: Readonly<Record<string, number>>;
}

/** Hands a run's events to the checkers of a subject, in order. */
export function judge(
  events: readonly HistoryEvent[],
  subject: Pick<Subject, 'contract'> = {},
): Judgement {
  const violations: Violation[] = [];
  const checkers = createCheckersFor(subject)((violation) => violations.push(violation));
  const dispatcher = new Dispatcher(checkers.handlers);
  for (const event of events) dispatcher.dispatch(event);
  const broken = violations.map(({ invariant }) => invariant);
  return { violations, broken, ...checkers.summary() };
}

const UNAVAILABLE: Outcome = {
  allowed: false,
  reason: 'store-unavailable',
  retryAfterMs: 100,
  source: 'none',
};

export function packState({ revision, parameters, units, lastMs }: BucketState): string {
  const { num, den, capacity } = parameters;
  const level = divideDown(units, den);
  const remainder = subtract(units, multiply(level, den));
  return encodeState({
    revision,
    num: Number(num),
    den: Number(den),
    capacity,
    level: Number(level),
    remainder: Number(remainder),
    lastMs,
  });
}

function createRequest(id: number, options: CheckOptions): Request {
  const { atMs, cost = 1, tenant = 'acme', path = '/orders/1' } = options;
  const method = 'GET';
  return { id, atUs: atMs * 1000, tenant, user: 'u1', method, path, cost, gateway: 0 };
}

function createScenario(policies: unknown, faults: readonly Fault[]): Scenario {
  return scenarioSchema.parse({
    format: 1,
    seed: 1,
    policies,
    topology: {
      gateways: 1,
      replicas: 2,
      clockOffsetsMs: {},
      gatewayLink: { minUs: 200, tailUs: 50 },
      storeLink: { minUs: 200, tailUs: 50 },
      scriptUs: 20,
      commandUs: 5,
    },
    workload: { kind: 'requests', requests: [] },
    faults: [...faults],
    knobs: { deadlineMs: 50, gatewayDeadlineMs: 100, settleMs: 5000 },
  });
}
