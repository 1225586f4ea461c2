// Hash commands. Fields keep the order in which they were first set, as a small Redis hash does.

import { type Hash, never } from '../keyspace.ts';
import { ErrorReply, MapReply, notAFloat, notAnInteger, ok, type Reply } from '../reply.ts';
import { addIntegers, parseInteger } from '../values/integers.ts';
import { addLongDoubles, formatLongDouble, parseLongDouble } from '../values/long-doubles.ts';
import { at, type Command, type CommandContext, reading, writing } from './command.ts';
import { wouldBeInfinite, wouldOverflow } from './counters.ts';
import { readHash } from './reads.ts';

export const hashCommands: readonly Command[] = [
  reading('hget', 3, (context, args) =>
    withHash(context, args, null, (hash) => hash.get(at(args, 2)) ?? null),
  ),
  reading('hmget', -3, getFields),
  reading('hgetall', 2, (context, args) =>
    withHash(context, args, new MapReply([]), (hash) => new MapReply([...hash].flat())),
  ),
  reading('hexists', 3, (context, args) =>
    withHash(context, args, 0, (hash) => (hash.has(at(args, 2)) ? 1 : 0)),
  ),
  reading('hlen', 2, (context, args) => withHash(context, args, 0, (hash) => hash.size)),
  reading('hstrlen', 3, (context, args) =>
    withHash(context, args, 0, (hash) => hash.get(at(args, 2))?.length ?? 0),
  ),
  reading('hkeys', 2, (context, args) => withHash(context, args, [], (hash) => [...hash.keys()])),
  reading('hvals', 2, (context, args) => withHash(context, args, [], (hash) => [...hash.values()])),
  writing('hset', -4, (context, args) => setFields(context, args, 'hset')),
  writing('hmset', -4, (context, args) => setFields(context, args, 'hmset')),
  writing('hsetnx', 4, setFieldIfMissing),
  writing('hdel', -3, deleteFields),
  writing('hincrby', 4, addToField),
  writing('hincrbyfloat', 4, addFloatToField),
];

function withHash(
  context: CommandContext,
  args: readonly string[],
  missing: Reply,
  use: (hash: Hash) => Reply,
): Reply {
  const hash = readHash(context, at(args, 1));
  if (hash === undefined) return missing;
  return hash instanceof ErrorReply ? hash : use(hash);
}

/** The hash to write to: an existing one, or a new one that `store` puts in place. */
function openHash(context: CommandContext, key: string): Hash | ErrorReply {
  return readHash(context, key) ?? new Map<string, string>();
}

function store(context: CommandContext, key: string, hash: Hash): void {
  if (context.keyspace.find(key) === undefined) context.keyspace.set(key, hash, never);
  else context.keyspace.touch(key);
}

function getFields(context: CommandContext, args: readonly string[]): Reply {
  const hash = readHash(context, at(args, 1));
  if (hash instanceof ErrorReply) return hash;
  const values: Reply[] = [];
  for (let index = 2; index < args.length; index += 1) {
    values.push(hash?.get(at(args, index)) ?? null);
  }
  return values;
}

function setFields(
  context: CommandContext,
  args: readonly string[],
  name: 'hset' | 'hmset',
): Reply {
  if (args.length % 2 === 1) {
    return new ErrorReply(`ERR wrong number of arguments for '${name}' command`);
  }
  const key = at(args, 1);
  const hash = openHash(context, key);
  if (hash instanceof ErrorReply) return hash;
  const sizeBefore = hash.size;
  for (let index = 2; index < args.length; index += 2) {
    hash.set(at(args, index), at(args, index + 1));
  }
  store(context, key, hash);
  return name === 'hset' ? hash.size - sizeBefore : ok;
}

function setFieldIfMissing(context: CommandContext, args: readonly string[]): Reply {
  const key = at(args, 1);
  const hash = openHash(context, key);
  if (hash instanceof ErrorReply) return hash;
  if (hash.has(at(args, 2))) return 0;
  hash.set(at(args, 2), at(args, 3));
  store(context, key, hash);
  return 1;
}

function deleteFields(context: CommandContext, args: readonly string[]): Reply {
  const key = at(args, 1);
  return withHash(context, args, 0, (hash) => {
    let count = 0;
    for (let index = 2; index < args.length; index += 1) {
      if (hash.delete(at(args, index))) count += 1;
    }
    if (hash.size === 0) context.keyspace.delete(key);
    else if (count > 0) context.keyspace.touch(key);
    return count;
  });
}

function addToField(context: CommandContext, args: readonly string[]): Reply {
  const amount = parseInteger(at(args, 3));
  if (amount === undefined) return notAnInteger;
  const key = at(args, 1);
  const hash = openHash(context, key);
  if (hash instanceof ErrorReply) return hash;
  const old = parseInteger(hash.get(at(args, 2)) ?? '0');
  if (old === undefined) return new ErrorReply('ERR hash value is not an integer');
  const sum = addIntegers(old, amount);
  if (sum === undefined) return wouldOverflow;
  hash.set(at(args, 2), String(sum));
  store(context, key, hash);
  return sum;
}

function addFloatToField(context: CommandContext, args: readonly string[]): Reply {
  const amount = parseLongDouble(at(args, 3));
  if (amount === undefined) return notAFloat;
  if (amount === 'infinite') return new ErrorReply('ERR value is NaN or Infinity');
  const key = at(args, 1);
  const hash = openHash(context, key);
  if (hash instanceof ErrorReply) return hash;
  const old = parseLongDouble(hash.get(at(args, 2)) ?? '0');
  if (old === undefined) return new ErrorReply('ERR hash value is not a float');
  if (old === 'infinite') return wouldBeInfinite;
  const sum = formatLongDouble(addLongDoubles(old, amount));
  hash.set(at(args, 2), sum);
  store(context, key, hash);
  return sum;
}
