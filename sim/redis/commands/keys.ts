// Commands on keys whatever they hold: existence, type, names. Expiry is in expiry.ts, SCAN in
// scan.ts.

import { never, type Value } from '../keyspace.ts';
import { ErrorReply, ok, type Reply, StatusReply, syntaxError } from '../reply.ts';
import { matchesGlob } from '../values/glob.ts';
import {
  allKeys,
  at,
  type Command,
  type CommandContext,
  defineCommand,
  reading,
  writing,
} from './command.ts';

export const keyCommands: readonly Command[] = [
  writing('del', -2, deleteKeys, { keys: allKeys }),
  writing('unlink', -2, deleteKeys, { keys: allKeys }),
  reading('exists', -2, countExisting, { keys: allKeys }),
  reading('touch', -2, countExisting, { keys: allKeys }),
  reading('type', 2, (context, args) => {
    const entry = context.keyspace.find(at(args, 1));
    return new StatusReply(entry === undefined ? 'none' : typeOf(entry.value));
  }),
  reading('keys', 2, listKeys, { keys: undefined }),
  reading('dbsize', 1, (context) => context.keyspace.count(), { keys: undefined }),
  reading('randomkey', 1, pickKey, { keys: undefined }),
  writing('rename', 3, (context, args) => rename(context, args, true), {
    keys: { first: 1, last: 2, step: 1 },
  }),
  writing('renamenx', 3, (context, args) => rename(context, args, false), {
    keys: { first: 1, last: 2, step: 1 },
  }),
  defineCommand('flushdb', -1, (context, args) => flush(args, () => context.keyspace.clear()), {
    isWrite: true,
  }),
  defineCommand('flushall', -1, flushAll, { isWrite: true }),
];

export function typeOf(value: Value): 'string' | 'hash' | 'zset' {
  if (typeof value === 'string') return 'string';
  return value instanceof Map ? 'hash' : 'zset';
}

function deleteKeys(context: CommandContext, args: readonly string[]): Reply {
  let count = 0;
  for (let index = 1; index < args.length; index += 1) {
    if (context.keyspace.delete(at(args, index))) count += 1;
  }
  return count;
}

function countExisting(context: CommandContext, args: readonly string[]): Reply {
  let count = 0;
  for (let index = 1; index < args.length; index += 1) {
    if (context.keyspace.find(at(args, index)) !== undefined) count += 1;
  }
  return count;
}

function listKeys(context: CommandContext, args: readonly string[]): Reply {
  const pattern = at(args, 1);
  return [...context.keyspace.keys()].filter((key) => matchesGlob(pattern, key));
}

/** Any key will do: the first, so that a run is the same each time. */
function pickKey(context: CommandContext): Reply {
  for (const key of context.keyspace.keys()) return key;
  return null;
}

function rename(context: CommandContext, args: readonly string[], mayReplace: boolean): Reply {
  const { keyspace } = context;
  const [from, to] = [at(args, 1), at(args, 2)];
  const entry = keyspace.find(from);
  if (entry === undefined) return new ErrorReply('ERR no such key');
  if (from === to) return mayReplace ? ok : 0;
  if (!mayReplace && keyspace.find(to) !== undefined) return 0;
  const { value, expiresAtMs } = entry;
  keyspace.delete(from);
  keyspace.set(to, value, expiresAtMs ?? never);
  return mayReplace ? ok : 1;
}

function flushAll(context: CommandContext, args: readonly string[]): Reply {
  return flush(args, () => {
    for (const [, keyspace] of context.server.databases()) keyspace.clear();
  });
}

function flush(args: readonly string[], clear: () => void): Reply {
  const word = args[1]?.toLowerCase();
  if (args.length > 2 || (word !== undefined && word !== 'sync' && word !== 'async')) {
    return syntaxError;
  }
  clear();
  return ok;
}
