// Turns a workload into the requests it stands for, each with a stable id. Replays, comparisons and
// the shrinker work on these; what a stream is called or drawn from no longer matters to them.

import type { Request, Stream, Workload } from '../scenario/scenario.ts';
import { type Arrival, arrivalsOf } from './arrivals.ts';
import { StreamDraws } from './keyed-draw.ts';
import { tenantName, userName } from './names.ts';
import { readTargets, type Target } from './targets.ts';

/** A request's id is this many times its stream's id plus its ordinal, from 1. */
export const idsPerStream = 1_000_000;

/** Gateways are drawn from this many and taken modulo those that exist. */
const gatewayDraws = 1_000_000;

/** A workload that cannot be made into requests, which is a mistake in the scenario. */
export class WorkloadError extends Error {
  readonly code = 'invalid-workload';
}

/**
 * The requests of a workload, sorted by time and then id. The same arguments always give the same
 * requests, and a stream's requests do not depend on the other streams.
 *
 * @throws WorkloadError when a stream names a limit that the policies lack, when two streams share
 *   an id, or when a stream makes a million requests or more.
 */
export function materialise(workload: Workload, policies: unknown, seed: number): Request[] {
  const requests =
    workload.kind === 'requests'
      ? [...workload.requests]
      : [...(workload.requests ?? []), ...materialiseStreams(workload.streams, policies, seed)];
  return requests.sort((one, other) => one.atUs - other.atUs || one.id - other.id);
}

function materialiseStreams(
  streams: readonly Stream[],
  policies: unknown,
  seed: number,
): Request[] {
  const targets = readTargets(policies);
  const seen = new Set<number>();
  const requests: Request[] = [];
  for (const stream of streams) {
    if (seen.has(stream.id)) throw new WorkloadError(`Two streams have the id ${stream.id}.`);
    seen.add(stream.id);
    const target = targets.get(stream.limit);
    if (target === undefined) {
      throw new WorkloadError(
        `Stream ${stream.id} is for the limit "${stream.limit}", which the policies lack.`,
      );
    }
    materialiseStream(stream, target, new StreamDraws(seed, stream.id), requests);
  }
  return requests;
}

function materialiseStream(
  stream: Stream,
  target: Target,
  draws: StreamDraws,
  into: Request[],
): void {
  let ordinal = 0;
  for (const arrival of arrivalsOf(stream, draws)) {
    ordinal += 1;
    if (ordinal >= idsPerStream) {
      throw new WorkloadError(`Stream ${stream.id} makes ${idsPerStream} requests or more.`);
    }
    into.push(createRequest(stream, target, draws, arrival, ordinal));
  }
}

function createRequest(
  stream: Stream,
  target: Target,
  draws: StreamDraws,
  arrival: Arrival,
  ordinal: number,
): Request {
  const { min, max } = stream.cost;
  const request: Request = {
    id: stream.id * idsPerStream + ordinal,
    atUs: arrival.atUs,
    tenant: tenantName(arrival.tenant, stream.names),
    user: userName(arrival.user, stream.names),
    method: target.method,
    path: target.path((below) => draws.integer('path', ordinal, below), stream.names),
    cost: max > min ? min + draws.integer('cost', ordinal, max - min + 1) : min,
    gateway: draws.integer('gateway', ordinal, gatewayDraws),
  };
  return stream.retry === undefined ? request : { ...request, retry: stream.retry };
}
