// SET with all its options, and GETEX, which shares their grammar.

import { never } from '../keyspace.ts';
import { ErrorReply, ok, type Reply, syntaxError } from '../reply.ts';
import { at, type Command, type CommandContext, writing } from './command.ts';
import { type ExpiryUnit, readExpiry } from './expiry-times.ts';
import { readString } from './reads.ts';

export const setCommands: readonly Command[] = [
  writing('set', -3, set),
  writing('getex', -2, getAndExpire),
];

interface SetOptions {
  condition: 'nx' | 'xx' | undefined;
  isGet: boolean;
  isKeepTtl: boolean;
  isPersist: boolean;
  unit: ExpiryUnit | undefined;
  expiry: string;
}

function set(context: CommandContext, args: readonly string[]): Reply {
  const key = at(args, 1);
  const value = at(args, 2);
  if (args.length === 3) {
    context.keyspace.set(key, value, never);
    return ok;
  }
  // The form limiters use, without an options object.
  if (args.length === 5 && isPx(at(args, 3))) {
    const expiresAtMs = readExpiry(at(args, 4), 'px', 'set', context.clockMs());
    if (expiresAtMs instanceof ErrorReply) return expiresAtMs;
    context.keyspace.set(key, value, expiresAtMs);
    return ok;
  }
  const options = parseOptions(args, 3, 'set');
  return options === undefined ? syntaxError : setWithOptions(context, key, value, options);
}

function isPx(word: string): boolean {
  return word === 'PX' || word === 'px' || word.toLowerCase() === 'px';
}

function setWithOptions(
  context: CommandContext,
  key: string,
  value: string,
  options: SetOptions,
): Reply {
  const { unit, condition, isGet } = options;
  let expiresAtMs = never;
  if (unit !== undefined) {
    const read = readExpiry(options.expiry, unit, 'set', context.clockMs());
    if (read instanceof ErrorReply) return read;
    expiresAtMs = read;
  }
  const old = isGet ? (readString(context, key) ?? null) : ok;
  if (old instanceof ErrorReply) return old;
  const entry = context.keyspace.find(key);
  if (condition !== undefined && (condition === 'nx') === (entry !== undefined)) {
    return isGet ? old : null;
  }
  if (options.isKeepTtl) expiresAtMs = entry?.expiresAtMs ?? never;
  context.keyspace.set(key, value, expiresAtMs);
  return old;
}

function getAndExpire(context: CommandContext, args: readonly string[]): Reply {
  const options = parseOptions(args, 2, 'getex');
  if (options === undefined) return syntaxError;
  const key = at(args, 1);
  const entry = context.keyspace.find(key);
  if (entry === undefined) return null;
  const value = readString(context, key);
  if (typeof value !== 'string') return value ?? null;
  const { unit } = options;
  if (unit !== undefined) {
    const nowMs = context.clockMs();
    const expiresAtMs = readExpiry(options.expiry, unit, 'getex', nowMs);
    if (expiresAtMs instanceof ErrorReply) return expiresAtMs;
    if ((unit === 'exat' || unit === 'pxat') && expiresAtMs <= nowMs) {
      context.keyspace.delete(key);
    } else {
      entry.expiresAtMs = expiresAtMs;
      context.keyspace.touch(key);
    }
  } else if (options.isPersist && entry.expiresAtMs !== never) {
    entry.expiresAtMs = never;
    context.keyspace.touch(key);
  }
  return value;
}

/** Undefined: a syntax error. Repeating the same option is none, as in Redis. */
function parseOptions(
  args: readonly string[],
  start: number,
  command: 'set' | 'getex',
): SetOptions | undefined {
  const options: SetOptions = {
    condition: undefined,
    isGet: false,
    isKeepTtl: false,
    isPersist: false,
    unit: undefined,
    expiry: '',
  };
  for (let index = start; index < args.length; index += 1) {
    const word = at(args, index).toLowerCase();
    const isSet = command === 'set';
    const hasTtlWord = options.isKeepTtl || options.isPersist;
    if ((word === 'nx' || word === 'xx') && isSet) {
      if (options.condition !== undefined && options.condition !== word) return undefined;
      options.condition = word;
    } else if (word === 'get' && isSet) {
      options.isGet = true;
    } else if (word === 'keepttl' && isSet && options.unit === undefined) {
      options.isKeepTtl = true;
    } else if (word === 'persist' && !isSet && options.unit === undefined) {
      options.isPersist = true;
    } else if (isUnit(word) && !hasTtlWord && index + 1 < args.length) {
      if (options.unit !== undefined && options.unit !== word) return undefined;
      options.unit = word;
      index += 1;
      options.expiry = at(args, index);
    } else {
      return undefined;
    }
  }
  return options;
}

function isUnit(word: string): word is ExpiryUnit {
  return word === 'ex' || word === 'px' || word === 'exat' || word === 'pxat';
}
