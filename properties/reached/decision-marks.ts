// Marks about decisions: which corners of the bucket a campaign has visited. When each is reached is
// said in `mark-follower.ts`.

import type { PolicyReading } from '../../model/index.ts';
import type { Mark } from './mark.ts';
import { isInUseAt, type LimitedStream, type ScenarioFacts } from './scenario-facts.ts';

export const decisionMarks = [
  {
    name: 'bucket-exactly-empty',
    sentence: 'An admission took the last microtoken.',
    requires: some(({ stream, capacity }) => isInRange(stream.cost, capacity) && capacity <= 20),
  },
  {
    name: 'bucket-full-again',
    sentence: 'Refill filled a used bucket up to its capacity.',
    requires: some(({ stream, fullMs }) => fullMs * 3 < stream.endMs - stream.startMs),
  },
  {
    name: 'refused',
    sentence: 'A request was refused for its rate.',
    requires: some(({ stream, capacity }) => 'size' in stream && stream.size > 2 * capacity),
  },
  {
    name: 'cost-above-capacity',
    sentence: 'A request asked for more than the bucket can ever hold.',
    requires: some(({ stream, capacity }) => stream.cost.max > capacity),
  },
  {
    name: 'peek',
    sentence: 'A request of cost zero looked at a used bucket.',
    requires: some(({ stream }) => stream.cost.min === 0),
  },
  {
    name: 'limit-zero',
    sentence: 'A limit of zero refused without asking the store.',
    requires: () => false,
  },
  {
    name: 'no-limit-matched',
    sentence: 'A request that no limit concerns was let through.',
    requires: () => false,
  },
  {
    name: 'remainder-kept',
    sentence: 'A fraction of a microtoken was stored.',
    requires: some(({ limit }) => (limit.parameters?.den ?? 1) > 1),
  },
  {
    name: 'same-millisecond',
    sentence: 'Two decisions about one bucket fell into one store millisecond.',
    requires: some(({ stream }) => 'size' in stream && stream.size >= 50 && stream.users <= 2),
  },
  {
    name: 'replicas-share-bucket',
    sentence: 'Two replicas decided about one bucket, one after the other.',
    requires: ({ scenario, streams }) => scenario.topology.replicas > 1 && streams.length > 0,
  },
  {
    name: 'boundary-burst',
    sentence: 'One bucket was used just before and just after the boundary of a window.',
    requires: some(({ stream }) => stream.kind === 'boundary'),
  },
  {
    name: 'key-expired',
    sentence: 'A key had expired and was made again.',
    requires: some(({ stream, fullMs }) => fullMs * 10 < stream.endMs - stream.startMs),
  },
  {
    name: 'retry-after-kept',
    sentence: 'A refused request came again after its retry-after, and was allowed.',
    requires: some(({ stream }) => stream.retry?.kind === 'obey' && stream.retry.attempts > 2),
  },
  {
    name: 'retry-after-exact',
    sentence: 'A refused request came again in the very millisecond it was told.',
    requires: ({ scenario: { topology }, streams }) =>
      // The way there and back must fit into the millisecond.
      4 * topology.gatewayLink.minUs + 2 * topology.storeLink.minUs < 700 &&
      streams.some(({ stream }) => stream.retry?.kind === 'obey' && stream.retry.attempts > 2),
  },
  {
    name: 'retry-too-early',
    sentence: 'A refused request came again before its retry-after.',
    requires: some(({ stream }) => stream.retry?.kind === 'ignore' && stream.retry.attempts > 2),
  },
  {
    name: 'policy-raised',
    sentence: 'A newer policy raised the capacity of a living bucket.',
    requires: changesCapacity((from, to) => to > from),
  },
  {
    name: 'policy-lowered',
    sentence: 'A newer policy lowered the capacity of a living bucket.',
    requires: changesCapacity((from, to) => to < from),
  },
  {
    name: 'older-revision',
    sentence: 'A replica with an older policy was decided under the newer one stored.',
    requires: ({ changes, streams }) =>
      changes.some(
        ({ atMs, from, to }) =>
          to.revision < from.revision &&
          streams.some(
            (stream) =>
              isInUseAt(stream, atMs) &&
              findPeriod(from, stream.limit.id) === findPeriod(to, stream.limit.id),
          ),
      ),
  },
  {
    name: 'same-revision-differs',
    sentence: 'A replica came with other parameters under the stored revision.',
    requires: () => false,
  },
  {
    name: 'period-changed',
    sentence: 'A limit went on with another period, in buckets of its own.',
    requires: ({ changes, streams }) =>
      changes.some(({ atMs, from, to }) =>
        streams.some(
          ({ stream, limit: { id } }) =>
            atMs + 5000 < stream.endMs && findPeriod(from, id) !== findPeriod(to, id),
        ),
      ),
  },
] as const satisfies readonly Mark[];

function some(test: (stream: LimitedStream) => boolean): (facts: ScenarioFacts) => boolean {
  return ({ streams }) => streams.some(test);
}

function isInRange(range: { readonly min: number; readonly max: number }, value: number): boolean {
  return range.min <= value && value <= range.max;
}

/** Whether a newer revision changes the capacity of a limit in use, in place. */
function changesCapacity(
  test: (from: number, to: number) => boolean,
): (facts: ScenarioFacts) => boolean {
  return ({ changes, streams }) =>
    changes.some(
      ({ atMs, from, to }) =>
        to.revision > from.revision &&
        streams.some((stream) => {
          const { id } = stream.limit;
          if (!isInUseAt(stream, atMs) || findPeriod(from, id) !== findPeriod(to, id)) return false;
          return test(findCapacity(from, id), findCapacity(to, id));
        }),
    );
}

function findPeriod({ limits }: PolicyReading, limitId: string): number | undefined {
  return limits.find(({ id }) => id === limitId)?.periodMs;
}

function findCapacity({ limits }: PolicyReading, limitId: string): number {
  return limits.find(({ id }) => id === limitId)?.parameters?.capacity ?? Number.NaN;
}
