// What a scenario says that decides which marks it must reach. Requests that were given one by one (a
// log, a shrunk failure) make nothing likely; only streams do.

import { type LimitReading, type PolicyReading, readPolicies } from '../../model/index.ts';
import type { Fault, Scenario, Stream } from '../../sim/scenario/scenario.ts';

type FaultOf<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

export interface ScenarioFacts {
  readonly scenario: Scenario;
  readonly policies: PolicyReading;
  /** Streams with the limit they are made for, where it has a bucket. */
  readonly streams: readonly LimitedStream[];
  /** The policy changes, in order of time. */
  readonly changes: readonly PolicyChange[];
  /** Whether there is a fault of this kind that acts while requests are still coming. */
  has<K extends Fault['kind']>(kind: K, test?: (fault: FaultOf<K>) => boolean): boolean;
}

export interface PolicyChange {
  readonly atMs: number;
  /** What holds before it, and after. */
  readonly from: PolicyReading;
  readonly to: PolicyReading;
}

export interface LimitedStream {
  readonly stream: Stream;
  readonly limit: LimitReading;
  readonly capacity: number;
  readonly fullMs: number;
}

export function readFacts(scenario: Scenario): ScenarioFacts {
  const policies = readPolicies(scenario.policies);
  const all = scenario.workload.kind === 'streams' ? scenario.workload.streams : [];
  const streams = all.flatMap((stream) => {
    const limit = policies.limits.find(({ id }) => id === stream.limit);
    if (limit?.parameters === undefined) return [];
    const { capacity, fullMs } = limit.parameters;
    return [{ stream, limit, capacity, fullMs }];
  });
  const endMs = Math.max(0, ...all.map((stream) => stream.endMs));
  const faults = scenario.faults.filter(({ atMs }) => atMs < endMs);
  const changes: PolicyChange[] = [];
  for (const fault of [...faults].sort((a, b) => a.atMs - b.atMs)) {
    if (fault.kind !== 'policy-change') continue;
    const from = changes.at(-1)?.to ?? policies;
    changes.push({ atMs: fault.atMs, from, to: readPolicies(fault.policies) });
  }
  return {
    scenario,
    policies,
    streams,
    changes,
    has: (kind, test) =>
      faults.some((fault) => isKind(fault, kind) && (test === undefined || test(fault))),
  };
}

function isKind<K extends Fault['kind']>(fault: Fault, kind: K): fault is FaultOf<K> {
  return fault.kind === kind;
}

/** Whether a fault lies on the way between a replica and the store. */
export function isOnStoreLink(fault: { readonly from: string; readonly to: string }): boolean {
  const ends = [fault.from, fault.to];
  return ends.includes('redis') && ends.some((end) => end.startsWith('replica'));
}

/** Whether buckets of this stream are surely in use when the policy changes, before and after. */
export function isInUseAt({ stream, fullMs }: LimitedStream, atMs: number): boolean {
  const gapMs = (stream.endMs - stream.startMs) / requestsPerBucket(stream);
  const marginMs = 3 * gapMs + 1000;
  const isOn = stream.startMs + marginMs <= atMs && atMs + marginMs <= stream.endMs;
  return isOn && fullMs > 3 * gapMs;
}

/** The mean number of requests for one tenant and user. */
function requestsPerBucket(stream: Stream): number {
  const spanMs = stream.endMs - stream.startMs;
  return countRequests(stream, spanMs) / (stream.tenants * stream.users);
}

function countRequests(stream: Stream, spanMs: number): number {
  switch (stream.kind) {
    case 'poisson':
    case 'zipf':
    case 'hot-key':
      return (stream.ratePerSecond * spanMs) / 1000;
    // A burst is one moment, however many requests it has.
    case 'bursts':
    case 'looping-client':
      return spanMs / stream.everyMs;
    case 'boundary':
      return spanMs / stream.windowMs;
  }
}
