// Numbers in strings: INCR and its relatives. They keep the key's expiry.

import { never } from '../keyspace.ts';
import { ErrorReply, notAFloat, notAnInteger, type Reply } from '../reply.ts';
import { addIntegers, type Integer, parseInteger } from '../values/integers.ts';
import { addLongDoubles, formatLongDouble, parseLongDouble } from '../values/long-doubles.ts';
import { at, type Command, type CommandContext, writing } from './command.ts';
import { readString } from './reads.ts';

export const counterCommands: readonly Command[] = [
  writing('incr', 2, (context, args) => add(context, at(args, 1), 1)),
  writing('decr', 2, (context, args) => add(context, at(args, 1), -1)),
  writing('incrby', 3, (context, args) => addArgument(context, args)),
  writing('decrby', 3, subtractArgument),
  writing('incrbyfloat', 3, addFloat),
];

export const wouldOverflow = new ErrorReply('ERR increment or decrement would overflow');
export const wouldBeInfinite = new ErrorReply('ERR increment would produce NaN or Infinity');

function addArgument(context: CommandContext, args: readonly string[]): Reply {
  const amount = parseInteger(at(args, 2));
  return amount === undefined ? notAnInteger : add(context, at(args, 1), amount);
}

function subtractArgument(context: CommandContext, args: readonly string[]): Reply {
  const amount = parseInteger(at(args, 2));
  if (amount === undefined) return notAnInteger;
  // The smallest integer has no negative.
  if (amount === -(2n ** 63n)) return new ErrorReply('ERR decrement would overflow');
  return add(context, at(args, 1), typeof amount === 'number' ? -amount : -amount);
}

function add(context: CommandContext, key: string, amount: Integer): Reply {
  const entry = context.keyspace.find(key);
  const text = readString(context, key);
  if (text instanceof ErrorReply) return text;
  const old = text === undefined ? 0 : parseInteger(text);
  if (old === undefined) return notAnInteger;
  const sum = addIntegers(old, amount);
  if (sum === undefined) return wouldOverflow;
  context.keyspace.set(key, String(sum), entry?.expiresAtMs ?? never);
  return sum;
}

function addFloat(context: CommandContext, args: readonly string[]): Reply {
  const key = at(args, 1);
  const entry = context.keyspace.find(key);
  const text = readString(context, key);
  if (text instanceof ErrorReply) return text;
  const old = parseLongDouble(text ?? '0');
  const amount = parseLongDouble(at(args, 2));
  if (old === undefined || amount === undefined) return notAFloat;
  if (old === 'infinite' || amount === 'infinite') return wouldBeInfinite;
  const sum = formatLongDouble(addLongDoubles(old, amount));
  context.keyspace.set(key, sum, entry?.expiresAtMs ?? never);
  return sum;
}
