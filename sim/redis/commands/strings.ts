// String commands: plain reads and writes. SET with options and GETEX are in strings-set.ts, numbers
// in counters.ts.

import { never } from '../keyspace.ts';
import { ErrorReply, notAnInteger, ok, type Reply } from '../reply.ts';
import { parseInteger } from '../values/integers.ts';
import { allKeys, at, type Command, type CommandContext, reading, writing } from './command.ts';
import { readExpiry } from './expiry-times.ts';
import { readOffset, readString } from './reads.ts';

/** Bytes of the longest string (`proto-max-bulk-len`). */
const stringBytesMax = 512 * 1024 * 1024;

export const stringCommands: readonly Command[] = [
  reading('get', 2, (context, args) => readString(context, at(args, 1)) ?? null),
  reading('strlen', 2, measure),
  reading('getrange', 4, getRange),
  reading('substr', 4, getRange),
  reading('mget', -2, getMany, { keys: allKeys }),
  writing('getdel', 2, getAndDelete),
  writing('getset', 3, getAndSet),
  writing('setnx', 3, setIfMissing),
  writing('setex', 4, (context, args) => setWithExpiry(context, args, 'ex')),
  writing('psetex', 4, (context, args) => setWithExpiry(context, args, 'px')),
  writing('mset', -3, setMany, { keys: { first: 1, last: -1, step: 2 } }),
  writing('msetnx', -3, setManyIfMissing, { keys: { first: 1, last: -1, step: 2 } }),
  writing('append', 3, append),
  writing('setrange', 4, setRange),
];

function measure(context: CommandContext, args: readonly string[]): Reply {
  const value = readString(context, at(args, 1));
  return typeof value === 'string' ? value.length : (value ?? 0);
}

function getRange(context: CommandContext, args: readonly string[]): Reply {
  const start = readOffset(at(args, 2));
  const end = readOffset(at(args, 3));
  if (start instanceof ErrorReply || end instanceof ErrorReply) return notAnInteger;
  const value = readString(context, at(args, 1));
  if (typeof value !== 'string') return value ?? '';
  // Both before the start: Redis answers nothing, not the first letter.
  if (start < 0 && end < 0 && start > end) return '';
  const first = Math.max(0, start < 0 ? value.length + start : start);
  const last = Math.max(0, end < 0 ? value.length + end : end);
  return first > last ? '' : value.slice(first, last + 1);
}

function getMany(context: CommandContext, args: readonly string[]): Reply {
  const values: Reply[] = [];
  for (let index = 1; index < args.length; index += 1) {
    const value = context.keyspace.find(at(args, index))?.value;
    values.push(typeof value === 'string' ? value : null);
  }
  return values;
}

function getAndDelete(context: CommandContext, args: readonly string[]): Reply {
  const key = at(args, 1);
  const value = readString(context, key);
  if (typeof value === 'string') context.keyspace.delete(key);
  return value ?? null;
}

function getAndSet(context: CommandContext, args: readonly string[]): Reply {
  const key = at(args, 1);
  const value = readString(context, key);
  if (value instanceof ErrorReply) return value;
  context.keyspace.set(key, at(args, 2), never);
  return value ?? null;
}

function setIfMissing(context: CommandContext, args: readonly string[]): Reply {
  const key = at(args, 1);
  if (context.keyspace.find(key) !== undefined) return 0;
  context.keyspace.set(key, at(args, 2), never);
  return 1;
}

function setWithExpiry(context: CommandContext, args: readonly string[], unit: 'ex' | 'px'): Reply {
  const command = unit === 'ex' ? 'setex' : 'psetex';
  const expiresAtMs = readExpiry(at(args, 2), unit, command, context.clockMs());
  if (expiresAtMs instanceof ErrorReply) return expiresAtMs;
  context.keyspace.set(at(args, 1), at(args, 3), expiresAtMs);
  return ok;
}

function setMany(context: CommandContext, args: readonly string[]): Reply {
  if (args.length % 2 === 0) return wrongArity('mset');
  for (let index = 1; index < args.length; index += 2) {
    context.keyspace.set(at(args, index), at(args, index + 1), never);
  }
  return ok;
}

function setManyIfMissing(context: CommandContext, args: readonly string[]): Reply {
  if (args.length % 2 === 0) return wrongArity('msetnx');
  for (let index = 1; index < args.length; index += 2) {
    if (context.keyspace.find(at(args, index)) !== undefined) return 0;
  }
  setMany(context, args);
  return 1;
}

function append(context: CommandContext, args: readonly string[]): Reply {
  const key = at(args, 1);
  const entry = context.keyspace.find(key);
  const value = readString(context, key);
  if (value instanceof ErrorReply) return value;
  const text = (value ?? '') + at(args, 2);
  if (text.length > stringBytesMax) return tooLong;
  context.keyspace.set(key, text, entry?.expiresAtMs ?? never);
  return text.length;
}

function setRange(context: CommandContext, args: readonly string[]): Reply {
  const offset = parseInteger(at(args, 2));
  if (offset === undefined) return notAnInteger;
  if (offset < 0) return new ErrorReply('ERR offset is out of range');
  const key = at(args, 1);
  const entry = context.keyspace.find(key);
  const value = readString(context, key);
  if (value instanceof ErrorReply) return value;
  const patch = at(args, 3);
  const old = value ?? '';
  if (patch === '') return old.length;
  const start = Number(offset);
  if (start + patch.length > stringBytesMax) return tooLong;
  const text = old.padEnd(start, '\0').slice(0, start) + patch + old.slice(start + patch.length);
  context.keyspace.set(key, text, entry?.expiresAtMs ?? never);
  return text.length;
}

const tooLong = new ErrorReply('ERR string exceeds maximum allowed size (proto-max-bulk-len)');

function wrongArity(name: string): ErrorReply {
  return new ErrorReply(`ERR wrong number of arguments for '${name}' command`);
}
