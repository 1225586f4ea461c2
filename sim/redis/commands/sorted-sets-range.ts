// ZRANGE and the older commands it replaces.

import { DoubleReply, ErrorReply, type Reply, syntaxError } from '../reply.ts';
import type { ScoredMember } from '../values/sorted-set.ts';
import { at, type Command, type CommandContext, reading } from './command.ts';
import { readOffset } from './reads.ts';
import { type RangeKind, readRange } from './score-ranges.ts';
import { withSet } from './sorted-sets.ts';

export const sortedSetRangeCommands: readonly Command[] = [
  reading('zrange', -4, (context, args) => getRange(context, args, undefined, undefined)),
  reading('zrevrange', -4, (context, args) => getRange(context, args, 'rank', true)),
  reading('zrangebyscore', -4, (context, args) => getRange(context, args, 'score', false)),
  reading('zrevrangebyscore', -4, (context, args) => getRange(context, args, 'score', true)),
  reading('zrangebylex', -4, (context, args) => getRange(context, args, 'member', false)),
  reading('zrevrangebylex', -4, (context, args) => getRange(context, args, 'member', true)),
];

interface RangeOptions {
  kind: RangeKind | undefined;
  isReversed: boolean | undefined;
  hasScores: boolean;
  limit: { readonly offset: number; readonly count: number } | undefined;
}

/** `kind` and `isReversed` are given by the older commands' names and cannot be options then. */
function getRange(
  context: CommandContext,
  args: readonly string[],
  kind: RangeKind | undefined,
  isReversed: boolean | undefined,
): Reply {
  const options = parseOptions(args, kind, isReversed);
  if (options instanceof ErrorReply) return options;
  const rangeKind = options.kind ?? 'rank';
  const isBackward = options.isReversed ?? false;
  const isSwapped = isBackward && rangeKind !== 'rank';
  const [min, max] = isSwapped ? [at(args, 3), at(args, 2)] : [at(args, 2), at(args, 3)];
  const range = readRange(rangeKind, min, max, isBackward);
  if (range instanceof ErrorReply) return range;
  return withSet(context, args, [], (set) => {
    const { start, end } = range(set);
    const items = set.items().slice(start, Math.max(start, end));
    if (isBackward) items.reverse();
    return writeItems(context, cut(items, options.limit), options.hasScores);
  });
}

function parseOptions(
  args: readonly string[],
  kind: RangeKind | undefined,
  isReversed: boolean | undefined,
): RangeOptions | ErrorReply {
  const options: RangeOptions = { kind, isReversed, hasScores: false, limit: undefined };
  for (let index = 4; index < args.length; index += 1) {
    const word = at(args, index).toLowerCase();
    if (word === 'withscores') {
      options.hasScores = true;
    } else if (word === 'limit' && index + 2 < args.length) {
      const offset = readOffset(at(args, index + 1));
      const count = readOffset(at(args, index + 2));
      if (offset instanceof ErrorReply) return offset;
      if (count instanceof ErrorReply) return count;
      options.limit = { offset, count };
      index += 2;
    } else if (word === 'rev' && options.isReversed === undefined) {
      options.isReversed = true;
    } else if (word === 'byscore' && options.kind === undefined) {
      options.kind = 'score';
    } else if (word === 'bylex' && options.kind === undefined) {
      options.kind = 'member';
    } else {
      return syntaxError;
    }
  }
  return checkOptions(options);
}

function checkOptions(options: RangeOptions): RangeOptions | ErrorReply {
  const hasBound = options.kind === 'score' || options.kind === 'member';
  // A limit of -1 is what Redis takes for none.
  if (options.limit !== undefined && options.limit.count !== -1 && !hasBound) {
    return new ErrorReply(
      'ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX',
    );
  }
  if (options.hasScores && options.kind === 'member') {
    return new ErrorReply('ERR syntax error, WITHSCORES not supported in combination with BYLEX');
  }
  return options;
}

/** A negative offset skips everything; a negative count takes everything. */
function cut(
  items: readonly ScoredMember[],
  limit: RangeOptions['limit'],
): readonly ScoredMember[] {
  if (limit === undefined) return items;
  if (limit.offset < 0) return [];
  const rest = items.slice(limit.offset);
  return limit.count < 0 ? rest : rest.slice(0, limit.count);
}

function writeItems(
  context: CommandContext,
  items: readonly ScoredMember[],
  hasScores: boolean,
): Reply {
  if (!hasScores) return items.map(({ member }) => member);
  const pairs = items.map(({ member, score }) => [member, new DoubleReply(score)]);
  return context.protocol === 3 ? pairs : pairs.flat();
}
