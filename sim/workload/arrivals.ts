// When the requests of a stream arrive and from whom: one generator per kind of stream. It knows
// nothing of limits, paths or costs.

import type { Stream } from '../scenario/scenario.ts';
import type { StreamDraws } from './keyed-draw.ts';

/** One request to come: its time and the indices of its tenant and user. */
export interface Arrival {
  readonly atUs: number;
  readonly tenant: number;
  readonly user: number;
}

type StreamOf<K extends Stream['kind']> = Extract<Stream, { kind: K }>;

/** Above this rate whole milliseconds would pile requests up; below it they make traces readable. */
const wholeMillisecondsBelowPerSecond = 100;

/** The arrivals of a stream in order of time, all within [startMs, endMs). */
export function arrivalsOf(stream: Stream, draws: StreamDraws): Iterable<Arrival> {
  switch (stream.kind) {
    case 'poisson':
      return poisson(stream, draws, evenly(stream, draws));
    case 'zipf':
      return poisson(stream, draws, byZipf(stream, draws));
    case 'hot-key':
      return poisson(stream, draws, hotKey(stream, draws));
    case 'bursts':
      return bursts(stream, draws);
    case 'boundary':
      return boundary(stream, draws);
    case 'looping-client':
      return loopingClient(stream);
  }
}

interface Client {
  readonly tenant: number;
  readonly user: number;
}
type PickClient = (ordinal: number) => Client;

function* poisson(
  stream: StreamOf<'poisson' | 'zipf' | 'hot-key'>,
  draws: StreamDraws,
  pick: PickClient,
): Generator<Arrival> {
  const meanGapUs = 1e6 / stream.ratePerSecond;
  const grainUs = stream.ratePerSecond < wholeMillisecondsBelowPerSecond ? 1000 : 1;
  const endUs = stream.endMs * 1000;
  let exactUs = stream.startMs * 1000;
  for (let ordinal = 0; ; ordinal += 1) {
    exactUs += -Math.log(1 - draws.unit('gap', ordinal)) * meanGapUs;
    const atUs = Math.floor(exactUs / grainUs) * grainUs;
    if (atUs >= endUs) return;
    yield { atUs, ...pick(ordinal) };
  }
}

/** Every burst comes from one client, which is what empties a bucket. */
function* bursts(stream: StreamOf<'bursts'>, draws: StreamDraws): Generator<Arrival> {
  const pick = evenly(stream, draws);
  let burst = 0;
  for (let atMs = stream.startMs; atMs < stream.endMs; atMs += stream.everyMs) {
    yield* burstOf(stream.size, atMs, pick(burst));
    burst += 1;
  }
}

/** The burst before a boundary and the one after it come from the same client. */
function* boundary(stream: StreamOf<'boundary'>, draws: StreamDraws): Generator<Arrival> {
  const pick = evenly(stream, draws);
  const first = Math.ceil(stream.startMs / stream.windowMs);
  for (let window = Math.max(1, first); ; window += 1) {
    const boundaryMs = window * stream.windowMs;
    if (boundaryMs - stream.gapMs >= stream.endMs) return;
    for (const atMs of [boundaryMs - stream.gapMs, boundaryMs + stream.gapMs]) {
      if (atMs < stream.startMs || atMs >= stream.endMs) continue;
      yield* burstOf(stream.size, atMs, pick(window));
    }
  }
}

function* burstOf(size: number, atMs: number, client: Client): Generator<Arrival> {
  for (let index = 0; index < size; index += 1) yield { atUs: atMs * 1000, ...client };
}

function* loopingClient(stream: StreamOf<'looping-client'>): Generator<Arrival> {
  for (let atMs = stream.startMs; atMs < stream.endMs; atMs += stream.everyMs) {
    yield { atUs: atMs * 1000, tenant: 0, user: 0 };
  }
}

function evenly(stream: Stream, draws: StreamDraws): PickClient {
  return (ordinal) => ({
    tenant: draws.integer('tenant', ordinal, stream.tenants),
    user: draws.integer('user', ordinal, stream.users),
  });
}

/** The first client gets its share; the rest falls evenly on all others, if there are any. */
function hotKey(stream: StreamOf<'hot-key'>, draws: StreamDraws): PickClient {
  const others = stream.tenants * stream.users - 1;
  return (ordinal) => {
    if (others === 0 || draws.unit('phase', ordinal) < stream.share) return { tenant: 0, user: 0 };
    const client = 1 + draws.integer('tenant', ordinal, others);
    return { tenant: Math.floor(client / stream.users), user: client % stream.users };
  };
}

/** Zipf: the tenant of rank r is drawn with a weight of r^-exponent. */
function byZipf(stream: StreamOf<'zipf'>, draws: StreamDraws): PickClient {
  const cumulative: number[] = [];
  let total = 0;
  for (let rank = 1; rank <= stream.tenants; rank += 1) {
    total += rank ** -stream.exponent;
    cumulative.push(total);
  }
  return (ordinal) => ({
    tenant: countAtMost(cumulative, draws.unit('tenant', ordinal) * total),
    user: draws.integer('user', ordinal, stream.users),
  });
}

/** How many entries of an ascending list are at most `value`, and never the whole list. */
function countAtMost(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
