// Replies of commands as Lua values, and what a script returns as a reply. The rules are those of
// Redis 7.0 (script_lua.c), including the forms only RESP3 has.

import { LuaTable, type LuaValue } from '../../lua/index.ts';
import type { Protocol } from '../protocol/reply-encoder.ts';
import {
  BigNumberReply,
  DoubleReply,
  ErrorReply,
  MapReply,
  type Reply,
  SetReply,
  StatusReply,
  VerbatimReply,
} from '../reply.ts';
import { formatDouble } from '../values/doubles.ts';

/** `protocol` is the script's: 2 unless it called `redis.setresp(3)`. */
export function toLua(reply: Reply, protocol: Protocol): LuaValue {
  switch (typeof reply) {
    case 'string':
    case 'number':
      return reply;
    case 'bigint':
      return Number(reply);
    case 'boolean':
      return protocol === 3 ? reply : Number(reply);
    default:
      if (reply === null) return protocol === 3 ? undefined : false;
      if (isArray(reply)) return toLuaArray(reply, protocol);
      return toLuaTagged(reply, protocol);
  }
}

function toLuaArray(items: readonly Reply[], protocol: Protocol): LuaTable {
  // Replies are made for one reader, so an array that needs no conversion becomes the table's own.
  if (areTexts(items)) return toTable(items);
  return toTable(items.map((item) => toLua(item, protocol)));
}

function areTexts(items: readonly Reply[]): items is string[] {
  for (const item of items) if (typeof item !== 'string') return false;
  return true;
}

/** A table that takes over this very array, sized as when the values are appended one by one. */
export function toTable(values: LuaValue[]): LuaTable {
  const { length } = values;
  return new LuaTable(length < 2 ? length : 1 << (32 - Math.clz32(length - 1)), 0, values);
}

type TaggedReply = Exclude<Reply, string | number | bigint | boolean | null | readonly Reply[]>;

function toLuaTagged(reply: TaggedReply, protocol: Protocol): LuaValue {
  switch (reply.kind) {
    case 'status':
      return tableOf('ok', reply.text);
    case 'error':
      return toErrorTable(reply);
    case 'double':
      return protocol === 3 ? tableOf('double', reply.value) : formatDouble(reply.value);
    case 'map':
      return protocol === 3
        ? tableOf('map', toLuaMap(reply.entries, protocol))
        : toLuaArray(reply.entries, protocol);
    case 'set':
      return protocol === 3
        ? tableOf('set', toLuaSet(reply.items, protocol))
        : toLuaArray(reply.items, protocol);
    case 'push':
      return toLuaArray(reply.items, protocol);
    case 'verbatim':
      if (protocol === 2) return reply.text;
      return tableOf('verbatim_string', toLuaVerbatim(reply));
    case 'big-number':
      return protocol === 3 ? tableOf('big_number', reply.text) : reply.text;
    case 'null-array':
    case 'none':
      return protocol === 3 ? undefined : false;
  }
}

/** What `redis.pcall` gives for an error, and `redis.call` raises. */
export function toErrorTable(error: ErrorReply): LuaTable {
  const table = tableOf('err', error.message);
  table.set('ignore_error_stats_update', true);
  return table;
}

export function tableOf(key: string, value: LuaValue): LuaTable {
  const table = new LuaTable(0, 1);
  table.set(key, value);
  return table;
}

function toLuaMap(entries: readonly Reply[], protocol: Protocol): LuaTable {
  const table = new LuaTable();
  for (let index = 0; index + 1 < entries.length; index += 2) {
    table.set(toLua(entries[index] ?? null, protocol), toLua(entries[index + 1] ?? null, protocol));
  }
  return table;
}

function toLuaSet(items: readonly Reply[], protocol: Protocol): LuaTable {
  const table = new LuaTable();
  for (const item of items) table.set(toLua(item, protocol), true);
  return table;
}

function toLuaVerbatim(reply: VerbatimReply): LuaTable {
  const table = tableOf('string', reply.text);
  table.set('format', reply.format);
  return table;
}

/** Tables nested deeper than the Lua stack allows are answered with an error there, as in Redis. */
const depthMax = 7990;
const tooDeep = new ErrorReply('ERR reached lua stack limit');

/** What the client gets for a script's value. `protocol` is the script's. */
export function toReply(value: LuaValue, protocol: Protocol, depth = 0): Reply {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return toInteger(value);
    case 'boolean':
      if (protocol === 3) return value;
      return value ? 1 : null;
    case 'object':
      return depth > depthMax ? tooDeep : toTableReply(value, protocol, depth + 1);
    default:
      return null;
  }
}

function toTableReply(table: LuaTable, protocol: Protocol, depth: number): Reply {
  return table.hash === undefined
    ? toArrayReply(table, protocol, depth)
    : (toTaggedReply(table, protocol, depth) ?? toArrayReply(table, protocol, depth));
}

/** The forms a table with a telling field stands for. */
function toTaggedReply(table: LuaTable, protocol: Protocol, depth: number): Reply | undefined {
  const error = table.get('err');
  if (typeof error === 'string') return new ErrorReply(error);
  const status = table.get('ok');
  if (typeof status === 'string') return new StatusReply(status);
  const double = table.get('double');
  if (typeof double === 'number') return new DoubleReply(double);
  const bigNumber = table.get('big_number');
  if (typeof bigNumber === 'string') return new BigNumberReply(bigNumber);
  const verbatim = table.get('verbatim_string');
  if (verbatim instanceof LuaTable) {
    const text = verbatim.get('string');
    const format = verbatim.get('format');
    if (typeof text === 'string' && typeof format === 'string') {
      return new VerbatimReply(format.padEnd(3, ' ').slice(0, 3), text);
    }
  }
  const map = table.get('map');
  if (map instanceof LuaTable) return new MapReply(listEntries(map, protocol, depth).flat());
  const set = table.get('set');
  if (set instanceof LuaTable) {
    return new SetReply(listEntries(set, protocol, depth).map(([key]) => key));
  }
  return undefined;
}

function listEntries(table: LuaTable, protocol: Protocol, depth: number): [Reply, Reply][] {
  const entries: [Reply, Reply][] = [];
  for (let at = table.advance(0); at !== 0; at = table.advance(at)) {
    entries.push([
      toReply(table.keyAt(at), protocol, depth),
      toReply(table.valueAt(at), protocol, depth),
    ]);
  }
  return entries;
}

/** The elements from 1 up to the first nil. */
function toArrayReply(table: LuaTable, protocol: Protocol, depth: number): Reply {
  const { array } = table;
  const items = new Array<Reply>(array.length);
  for (let index = 0; index < array.length; index += 1) {
    const item = array[index];
    if (item === undefined) {
      items.length = index;
      return items;
    }
    items[index] = typeof item === 'string' ? item : toReply(item, protocol, depth);
  }
  if (table.hash === undefined) return items;
  for (let index = items.length + 1; ; index += 1) {
    const item = table.get(index);
    if (item === undefined) return items;
    items.push(toReply(item, protocol, depth));
  }
}

/** A C cast to a 64-bit integer on x86: truncated, and the smallest integer when out of range. */
function toInteger(value: number): number | bigint {
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole === 0 ? 0 : whole;
  const isInRange = whole >= -(2 ** 63) && whole < 2 ** 63;
  return isInRange ? BigInt(whole) : -(2n ** 63n);
}

function isArray(reply: object): reply is readonly Reply[] {
  return Array.isArray(reply);
}
