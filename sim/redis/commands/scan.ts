// SCAN, HSCAN and ZSCAN. Keys are visited in the order of a hash of their names and the cursor is a
// position in that order, so a key that exists during the whole scan is always visited, whatever
// comes and goes meanwhile. Redis visits in another order and may repeat keys.
//
// HSCAN and ZSCAN answer everything at once, as Redis does for small values.

import { ErrorReply, notAnInteger, type Reply, syntaxError } from '../reply.ts';
import { formatDouble } from '../values/doubles.ts';
import { matchesGlob } from '../values/glob.ts';
import { at, type Command, type CommandContext, reading } from './command.ts';
import { typeOf } from './keys.ts';
import { readHash, readOffset, readSortedSet } from './reads.ts';

export const scanCommands: readonly Command[] = [
  reading('scan', -2, scan, { keys: undefined }),
  reading('hscan', -3, scanHash),
  reading('zscan', -3, scanSortedSet),
];

const countDefault = 10;

interface ScanOptions {
  count: number;
  pattern: string | undefined;
  type: string | undefined;
}

function scan(context: CommandContext, args: readonly string[]): Reply {
  const cursor = readCursor(at(args, 1));
  if (cursor instanceof ErrorReply) return cursor;
  const options = readOptions(args, 2, true);
  if (options instanceof ErrorReply) return options;
  const { pattern, type } = options;
  const hashed = [...context.keyspace.keys()]
    .map((key) => ({ key, hash: hashOf(key) }))
    .filter(({ hash }) => hash >= cursor)
    .sort((left, right) => left.hash - right.hash);
  // All keys of one hash belong to one answer, since the cursor cannot point between them.
  let end = Math.min(options.count, hashed.length);
  while (end < hashed.length && hashed[end]?.hash === hashed[end - 1]?.hash) end += 1;
  const next = hashed[end]?.hash ?? 0;
  const keys = hashed.slice(0, end).map(({ key }) => key);
  const isWanted = (key: string): boolean => {
    const entry = context.keyspace.find(key);
    const isRightType = type === undefined || (entry && typeOf(entry.value) === type) === true;
    return isRightType && (pattern === undefined || matchesGlob(pattern, key));
  };
  return [String(next), keys.filter(isWanted)];
}

function scanHash(context: CommandContext, args: readonly string[]): Reply {
  const hash = readHash(context, at(args, 1));
  const entries = hash instanceof ErrorReply ? hash : [...(hash ?? [])];
  return scanPairs(args, entries);
}

function scanSortedSet(context: CommandContext, args: readonly string[]): Reply {
  const set = readSortedSet(context, at(args, 1));
  if (set instanceof ErrorReply) return scanPairs(args, set);
  const items = set?.items() ?? [];
  return scanPairs(
    args,
    items.map(({ member, score }) => [member, formatDouble(score)]),
  );
}

function scanPairs(
  args: readonly string[],
  pairs: readonly (readonly [string, string])[] | ErrorReply | readonly string[][],
): Reply {
  const cursor = readCursor(at(args, 2));
  if (cursor instanceof ErrorReply) return cursor;
  if (pairs instanceof ErrorReply) return pairs;
  const options = readOptions(args, 3, false);
  if (options instanceof ErrorReply) return options;
  const { pattern } = options;
  const wanted = pairs.filter(([name = '']) => pattern === undefined || matchesGlob(pattern, name));
  return ['0', wanted.flat()];
}

function readCursor(text: string): number | ErrorReply {
  if (!/^[+-]?\d{1,19}$/.test(text)) return new ErrorReply('ERR invalid cursor');
  // A negative number is a large one to strtoul: past the end.
  return text.startsWith('-') ? Number.MAX_SAFE_INTEGER : Number(text);
}

function readOptions(
  args: readonly string[],
  start: number,
  hasType: boolean,
): ScanOptions | ErrorReply {
  const options: ScanOptions = { count: countDefault, pattern: undefined, type: undefined };
  for (let index = start; index < args.length; index += 2) {
    const word = at(args, index).toLowerCase();
    const value = args[index + 1];
    if (value === undefined) return syntaxError;
    if (word === 'count') {
      const count = readOffset(value);
      if (count instanceof ErrorReply) return notAnInteger;
      if (count < 1) return syntaxError;
      options.count = count;
    } else if (word === 'match') {
      options.pattern = value;
    } else if (word === 'type' && hasType) {
      options.type = value.toLowerCase();
    } else {
      return syntaxError;
    }
  }
  return options;
}

/** FNV-1a, 1 to 2^32: zero is the cursor of the start and of the end. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) + 1;
}
