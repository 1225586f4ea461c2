// Whole scenarios, drawn from a seed: policies, machines, traffic and faults. The shape is a value
// without references (indices instead of names, fractions instead of times), so fast-check can draw
// and shrink every part by itself; `assemble` then fits the parts together.

import * as fc from 'fast-check';
import type { Request, Scenario } from '../../sim/scenario/scenario.ts';
import { shippedLog, shippedPolicies } from '../../sim/workload/shipped.ts';
import { fraction, logInteger, weighted } from './draws.ts';
import { buildFaults, faultsArbitrary } from './faults.ts';
import { cutLog } from './log-window.ts';
import { type PolicyDocument, policiesArbitrary, readPolicyDocument } from './policies.ts';
import { buildStreams, streamArbitrary } from './streams.ts';
import { topologyArbitrary } from './topology.ts';

export interface ScenarioOptions {
  /** The policy document of every scenario. Default: the shipped ones in turn with drawn ones. */
  readonly policies?: unknown;
  /**
   * A log's requests, with ids below 1 000 000: every scenario takes a stretch of at most
   * `requestsAtMost` of them, and half of the scenarios add drawn traffic. Default: drawn traffic,
   * sometimes beside the shipped log.
   */
  readonly requests?: readonly Request[];
  /** How many of the log's requests one scenario takes. Default 1 000. */
  readonly requestsAtMost?: number;
}

const shapeArbitrary = fc.record({
  policies: policiesArbitrary,
  usesShippedPolicies: weighted([2, false], [1, true]),
  addsLog: fc.boolean(),
  topology: topologyArbitrary,
  /** Most runs take about a minute; a few stretch the same traffic so that buckets stand idle. */
  horizonMs: weighted([6, 60_000], [2, 45_000], [3, 75_000], [1, 600_000], [1, 7_200_000]),
  requests: logInteger(260, 1300),
  streams: fc.array(streamArbitrary, { minLength: 1, maxLength: 4, size: 'max' }),
  faults: faultsArbitrary,
  logWindow: fraction,
  deadlineMs: weighted([4, 50], [1, 20], [3, 100], [1, 250]),
  /** Relative to the limiter's deadline; below 1 the gateway gives up first. */
  gatewayPatience: weighted([6, 1.5], [1, 0.5], [2, 3]),
  settleMs: weighted([1, 10_000], [1, 15_000]),
});
type Shape = typeof shapeArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** The shape without fast-check's preference for small values: a campaign wants whole worlds. */
const unbiasedShape = fc.noBias(shapeArbitrary);

/** Scenarios with seeds of their own, for properties under fast-check; they shrink. */
export function scenarioArbitrary(options: ScenarioOptions = {}): fc.Arbitrary<Scenario> {
  return fc
    .tuple(unbiasedShape, fc.noShrink(fc.nat(0x7fff_ffff)))
    .map(([shape, seed]) => assemble(shape, seed, options));
}

/** The scenario that belongs to a seed: the same one always, on any machine. */
export function drawScenario(seed: number, options: ScenarioOptions = {}): Scenario {
  const [shape] = fc.sample(unbiasedShape, { seed: spreadSeed(seed), numRuns: 1 });
  if (shape === undefined) throw new Error('Expected one shape, got none.');
  return assemble(shape, seed, options);
}

/**
 * fast-check takes 32 bits and its generator gives neighbouring seeds similar first draws, so the
 * seed's bits are spread first (the finaliser of MurmurHash3).
 */
function spreadSeed(seed: number): number {
  let mixed = (seed | 0) ^ Math.imul(Math.floor(seed / 2 ** 32) | 0, 0x9e3779b1) ^ 0x57656972;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function assemble(shape: Shape, seed: number, options: ScenarioOptions): Scenario {
  const { topology, deadlineMs } = shape;
  const policies = policiesOf(shape, options);
  const workload = buildWorkload(shape, policies, options);
  const trafficMs = trafficEndMs(workload);
  return {
    format: 1,
    seed,
    policies,
    topology,
    workload,
    faults: buildFaults(shape.faults, { topology, policies, trafficMs }),
    knobs: {
      deadlineMs,
      gatewayDeadlineMs: Math.round(deadlineMs * shape.gatewayPatience),
      settleMs: shape.settleMs,
    },
  };
}

function policiesOf(shape: Shape, options: ScenarioOptions): PolicyDocument {
  if (options.policies !== undefined) return readPolicyDocument(options.policies);
  return shape.usesShippedPolicies ? readPolicyDocument(shippedPolicies()) : shape.policies;
}

function buildWorkload(
  shape: Shape,
  policies: PolicyDocument,
  options: ScenarioOptions,
): Scenario['workload'] {
  const { horizonMs } = shape;
  const window = { horizonMs, position: shape.logWindow };
  const hasShippedLog =
    options.policies === undefined && shape.usesShippedPolicies && shape.addsLog;
  const log = options.requests ?? (hasShippedLog ? shippedLog() : undefined);
  if (log === undefined) {
    return {
      kind: 'streams',
      streams: buildStreams(shape.streams, policies, shape.requests, horizonMs),
    };
  }
  const atMost = options.requestsAtMost ?? (options.requests === undefined ? shape.requests : 1000);
  if (!shape.addsLog) return { kind: 'requests', requests: cutLog(log, { ...window, atMost }) };
  // Half from the log, half drawn.
  const half = Math.round(Math.min(atMost, shape.requests) / 2);
  const streams = buildStreams(shape.streams, policies, half, horizonMs);
  return { kind: 'streams', streams, requests: cutLog(log, { ...window, atMost: half }) };
}

/** When the last request is sent, or could be. */
function trafficEndMs(workload: Scenario['workload']): number {
  const streams = workload.kind === 'streams' ? workload.streams : [];
  const lastMs = Math.ceil((workload.requests?.at(-1)?.atUs ?? 0) / 1000);
  return Math.max(lastMs, ...streams.map((stream) => stream.endMs));
}
