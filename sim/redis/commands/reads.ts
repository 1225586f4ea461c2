// How commands look at a key: its value if it has the wanted type, or the error for a wrong one.

import type { Hash } from '../keyspace.ts';
import { type ErrorReply, notAnInteger, wrongType } from '../reply.ts';
import { parseInteger } from '../values/integers.ts';
import { SortedSet } from '../values/sorted-set.ts';
import type { CommandContext } from './command.ts';

export function readString(context: CommandContext, key: string): string | undefined | ErrorReply {
  const value = context.keyspace.find(key)?.value;
  return value === undefined || typeof value === 'string' ? value : wrongType;
}

export function readHash(context: CommandContext, key: string): Hash | undefined | ErrorReply {
  const value = context.keyspace.find(key)?.value;
  return value === undefined || value instanceof Map ? value : wrongType;
}

export function readSortedSet(
  context: CommandContext,
  key: string,
): SortedSet | undefined | ErrorReply {
  const value = context.keyspace.find(key)?.value;
  return value === undefined || value instanceof SortedSet ? value : wrongType;
}

/** An offset, count or limit. Beyond the safe integers it is rounded, which moves no end of a range. */
export function readOffset(text: string): number | ErrorReply {
  const value = parseInteger(text);
  return value === undefined ? notAnInteger : Number(value);
}
