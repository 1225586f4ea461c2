// Sorted set commands that look at or remove members. ZADD is in sorted-sets-add.ts, ranges in
// sorted-sets-range.ts.

import { DoubleReply, ErrorReply, type Reply } from '../reply.ts';
import type { SortedSet } from '../values/sorted-set.ts';
import { at, type Command, type CommandContext, reading, writing } from './command.ts';
import { readOffset, readSortedSet } from './reads.ts';
import { type Range, readMemberRange, readRankRange, readScoreRange } from './score-ranges.ts';

export const sortedSetCommands: readonly Command[] = [
  reading('zcard', 2, (context, args) => withSet(context, args, 0, (set) => set.size)),
  reading('zscore', 3, (context, args) =>
    withSet(context, args, null, (set) => scoreReply(set, at(args, 2))),
  ),
  reading('zmscore', -3, getScores),
  reading('zrank', 3, (context, args) =>
    withSet(context, args, null, (set) => set.rankOf(at(args, 2)) ?? null),
  ),
  reading('zrevrank', 3, (context, args) =>
    withSet(context, args, null, (set) => {
      const rank = set.rankOf(at(args, 2));
      return rank === undefined ? null : set.size - 1 - rank;
    }),
  ),
  reading('zcount', 4, (context, args) =>
    count(context, args, readScoreRange(at(args, 2), at(args, 3))),
  ),
  reading('zlexcount', 4, (context, args) =>
    count(context, args, readMemberRange(at(args, 2), at(args, 3))),
  ),
  writing('zrem', -3, removeMembers),
  writing('zremrangebyscore', 4, (context, args) =>
    removeRange(context, args, readScoreRange(at(args, 2), at(args, 3))),
  ),
  writing('zremrangebylex', 4, (context, args) =>
    removeRange(context, args, readMemberRange(at(args, 2), at(args, 3))),
  ),
  writing('zremrangebyrank', 4, (context, args) =>
    removeRange(context, args, readRankRange(at(args, 2), at(args, 3), false)),
  ),
  writing('zpopmin', -2, (context, args) => pop(context, args, 'min')),
  writing('zpopmax', -2, (context, args) => pop(context, args, 'max')),
];

export function withSet(
  context: CommandContext,
  args: readonly string[],
  missing: Reply,
  use: (set: SortedSet) => Reply,
): Reply {
  const set = readSortedSet(context, at(args, 1));
  if (set === undefined) return missing;
  return set instanceof ErrorReply ? set : use(set);
}

function scoreReply(set: SortedSet | undefined, member: string): Reply {
  const score = set?.scoreOf(member);
  return score === undefined ? null : new DoubleReply(score);
}

function getScores(context: CommandContext, args: readonly string[]): Reply {
  const set = readSortedSet(context, at(args, 1));
  if (set instanceof ErrorReply) return set;
  return args.slice(2).map((member) => scoreReply(set, member));
}

function count(context: CommandContext, args: readonly string[], range: Range | ErrorReply): Reply {
  if (range instanceof ErrorReply) return range;
  return withSet(context, args, 0, (set) => {
    const { start, end } = range(set);
    return Math.max(0, end - start);
  });
}

function removeMembers(context: CommandContext, args: readonly string[]): Reply {
  return withSet(context, args, 0, (set) => {
    let removed = 0;
    for (let index = 2; index < args.length; index += 1) {
      if (set.delete(at(args, index))) removed += 1;
    }
    return settle(context, at(args, 1), set, removed);
  });
}

function removeRange(
  context: CommandContext,
  args: readonly string[],
  range: Range | ErrorReply,
): Reply {
  if (range instanceof ErrorReply) return range;
  return withSet(context, args, 0, (set) => {
    const { start, end } = range(set);
    return settle(context, at(args, 1), set, set.removeBetween(start, end));
  });
}

/** An empty sorted set is no key. */
function settle(context: CommandContext, key: string, set: SortedSet, removed: number): number {
  if (set.size === 0) context.keyspace.delete(key);
  else if (removed > 0) context.keyspace.touch(key);
  return removed;
}

function pop(context: CommandContext, args: readonly string[], end: 'min' | 'max'): Reply {
  if (args.length > 3) return new ErrorReply('ERR syntax error');
  const limit = args.length === 3 ? readOffset(at(args, 2)) : 1;
  if (limit instanceof ErrorReply || limit < 0) {
    return new ErrorReply('ERR value is out of range, must be positive');
  }
  return withSet(context, args, [], (set) => {
    const taken = Math.min(limit, set.size);
    const items =
      end === 'min'
        ? set.items().slice(0, taken)
        : set
            .items()
            .slice(set.size - taken)
            .reverse();
    for (const { member } of items) set.delete(member);
    settle(context, at(args, 1), set, taken);
    const pairs = items.map(({ member, score }) => [member, new DoubleReply(score)]);
    // With a count, RESP3 has one array a member.
    return context.protocol === 3 && args.length === 3 ? pairs : pairs.flat();
  });
}
