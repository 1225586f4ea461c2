// ZADD with its options, and ZINCRBY.

import { never } from '../keyspace.ts';
import { DoubleReply, ErrorReply, notAFloat, type Reply, syntaxError } from '../reply.ts';
import { parseDouble } from '../values/doubles.ts';
import { SortedSet } from '../values/sorted-set.ts';
import { at, type Command, type CommandContext, writing } from './command.ts';
import { readSortedSet } from './reads.ts';

export const sortedSetAddCommands: readonly Command[] = [
  writing('zadd', -4, (context, args) => {
    const flags = new Set<string>();
    let index = 2;
    while (index < args.length && flagNames.has(at(args, index).toLowerCase())) {
      flags.add(at(args, index).toLowerCase());
      index += 1;
    }
    return add(context, args, flags, index);
  }),
  writing('zincrby', 4, (context, args) => add(context, args, new Set(['incr']), 2)),
];

const flagNames = new Set(['nx', 'xx', 'gt', 'lt', 'ch', 'incr']);

function add(
  context: CommandContext,
  args: readonly string[],
  flags: ReadonlySet<string>,
  start: number,
): Reply {
  const refusal = checkFlags(flags, args.length - start);
  if (refusal !== undefined) return refusal;
  const scores: number[] = [];
  for (let index = start; index < args.length; index += 2) {
    const score = parseDouble(at(args, index));
    if (score === undefined) return notAFloat;
    scores.push(score);
  }
  const key = at(args, 1);
  const found = readSortedSet(context, key);
  if (found instanceof ErrorReply) return found;
  const isIncrement = flags.has('incr');
  if (found === undefined && flags.has('xx')) return isIncrement ? null : 0;

  const set = found ?? new SortedSet();
  const sizeBefore = set.size;
  let updated = 0;
  let last: number | undefined;
  for (const [order, score] of scores.entries()) {
    const member = at(args, start + 2 * order + 1);
    const old = set.scoreOf(member);
    last = decideScore(old, score, flags);
    if (Number.isNaN(last)) return new ErrorReply('ERR resulting score is not a number (NaN)');
    if (last === undefined) continue;
    if (old !== undefined && old !== last) updated += 1;
    set.set(member, last);
  }
  const added = set.size - sizeBefore;
  if (found === undefined && added > 0) context.keyspace.set(key, set, never);
  else if (added + updated > 0) context.keyspace.touch(key);
  if (isIncrement) return last === undefined ? null : new DoubleReply(last);
  return flags.has('ch') ? added + updated : added;
}

function checkFlags(flags: ReadonlySet<string>, rest: number): ErrorReply | undefined {
  if (rest % 2 === 1 || rest === 0) return syntaxError;
  if (flags.has('nx') && flags.has('xx')) {
    return new ErrorReply('ERR XX and NX options at the same time are not compatible');
  }
  const isBounded = flags.has('gt') || flags.has('lt');
  if ((flags.has('nx') && isBounded) || (flags.has('gt') && flags.has('lt'))) {
    return new ErrorReply('ERR GT, LT, and/or NX options at the same time are not compatible');
  }
  if (flags.has('incr') && rest > 2) {
    return new ErrorReply('ERR INCR option supports a single increment-element pair');
  }
  return undefined;
}

/** The member's new score; undefined: the options leave it as it is. */
function decideScore(
  old: number | undefined,
  score: number,
  flags: ReadonlySet<string>,
): number | undefined {
  if (old === undefined) return flags.has('xx') ? undefined : score;
  if (flags.has('nx')) return undefined;
  const next = flags.has('incr') ? old + score : score;
  if (flags.has('gt') && next <= old) return undefined;
  if (flags.has('lt') && next >= old) return undefined;
  return next;
}
