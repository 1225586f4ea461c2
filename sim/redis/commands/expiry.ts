// Expiry of keys: EXPIRE and its relatives, TTL and its relatives, PERSIST.
//
// A key whose new expiry is not in the future is deleted at once. Differences to a key's own clock do
// not exist: TTL and EXPIRE read the store's clock when they run, also inside a script, where only the
// decision whether a key has expired is frozen (Redis 7.0).

import { type Entry, never } from '../keyspace.ts';
import { ErrorReply, notAnInteger, type Reply, toCString } from '../reply.ts';
import { parseInteger } from '../values/integers.ts';
import { at, type Command, type CommandContext, reading, writing } from './command.ts';

export const expiryCommands: readonly Command[] = [
  writing('expire', -3, (context, args) => expire(context, args, 'expire', true, true)),
  writing('pexpire', -3, (context, args) => expire(context, args, 'pexpire', false, true)),
  writing('expireat', -3, (context, args) => expire(context, args, 'expireat', true, false)),
  writing('pexpireat', -3, (context, args) => expire(context, args, 'pexpireat', false, false)),
  reading('ttl', 2, (context, args) => timeToLive(context, args, true)),
  reading('pttl', 2, (context, args) => timeToLive(context, args, false)),
  reading('expiretime', 2, (context, args) =>
    readTime(context, args, (entry) => toSeconds(entry.expiresAtMs)),
  ),
  reading('pexpiretime', 2, (context, args) =>
    readTime(context, args, (entry) => entry.expiresAtMs),
  ),
  writing('persist', 2, persist),
];

const integerMax = 2n ** 63n - 1n;
const integerMin = -(2n ** 63n);

function expire(
  context: CommandContext,
  args: readonly string[],
  command: string,
  isSeconds: boolean,
  isRelative: boolean,
): Reply {
  const conditions = readConditions(args);
  if (conditions instanceof ErrorReply) return conditions;
  const value = parseInteger(at(args, 2));
  if (value === undefined) return notAnInteger;
  const nowMs = context.clockMs();
  const whenMs = toWhen(value, isSeconds, isRelative ? nowMs : 0);
  if (whenMs === undefined) {
    return new ErrorReply(`ERR invalid expire time in '${command}' command`);
  }
  const key = at(args, 1);
  const entry = context.keyspace.find(key);
  if (entry === undefined || !isAllowed(entry, whenMs, conditions)) return 0;
  if (whenMs <= nowMs) {
    context.keyspace.delete(key);
  } else {
    entry.expiresAtMs = whenMs;
    context.keyspace.touch(key);
  }
  return 1;
}

function toWhen(value: number | bigint, isSeconds: boolean, baseMs: number): number | undefined {
  const ms = typeof value === 'number' && (isSeconds ? value * 1000 : value) + baseMs;
  if (ms !== false && Number.isSafeInteger(ms)) return ms;
  const exact = BigInt(value) * (isSeconds ? 1000n : 1n);
  if (exact > integerMax - BigInt(baseMs) || exact < integerMin) return undefined;
  return Number(exact + BigInt(baseMs));
}

function readConditions(args: readonly string[]): ReadonlySet<string> | ErrorReply {
  if (args.length === 3) return noConditions;
  const conditions = new Set<string>();
  for (const word of args.slice(3)) {
    const condition = word.toLowerCase();
    if (!conditionNames.has(condition))
      return new ErrorReply(`ERR Unsupported option ${toCString(word)}`);
    conditions.add(condition);
  }
  if (conditions.has('nx') && conditions.size > 1) {
    return new ErrorReply('ERR NX and XX, GT or LT options at the same time are not compatible');
  }
  if (conditions.has('gt') && conditions.has('lt')) {
    return new ErrorReply('ERR GT and LT options at the same time are not compatible');
  }
  return conditions;
}

const conditionNames = new Set(['nx', 'xx', 'gt', 'lt']);
const noConditions: ReadonlySet<string> = new Set();

/** A key without expiry counts as one that never ends: nothing is greater. */
function isAllowed(entry: Entry, whenMs: number, conditions: ReadonlySet<string>): boolean {
  if (conditions.size === 0) return true;
  const current = entry.expiresAtMs;
  if (conditions.has('nx') && current !== never) return false;
  if (conditions.has('xx') && current === never) return false;
  if (conditions.has('gt') && whenMs <= current) return false;
  return !(conditions.has('lt') && whenMs >= current);
}

function timeToLive(context: CommandContext, args: readonly string[], isSeconds: boolean): Reply {
  return readTime(context, args, (entry) => {
    const leftMs = Math.max(0, entry.expiresAtMs - context.clockMs());
    return isSeconds ? toSeconds(leftMs) : leftMs;
  });
}

/** Rounded half up, as Redis does. */
function toSeconds(ms: number): number {
  return Math.floor((ms + 500) / 1000);
}

function readTime(
  context: CommandContext,
  args: readonly string[],
  read: (entry: Entry) => number,
): Reply {
  const entry = context.keyspace.find(at(args, 1));
  if (entry === undefined) return -2;
  return entry.expiresAtMs === never ? -1 : read(entry);
}

function persist(context: CommandContext, args: readonly string[]): Reply {
  const entry = context.keyspace.find(at(args, 1));
  if (entry === undefined || entry.expiresAtMs === never) return 0;
  entry.expiresAtMs = never;
  context.keyspace.touch(at(args, 1));
  return 1;
}
