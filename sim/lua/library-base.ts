// The base library of Lua 5.1 as Redis 7.0 offers it. What Redis has and this lacks is refused when a
// script is loaded (library-names.ts).

import * as check from './arguments.ts';
import {
  LuaError,
  LuaHostLimit,
  LuaUnsupported,
  throwArgumentError,
  throwNativeError,
  throwRuntimeError,
  throwValue,
  where,
} from './errors.ts';
import { LuaSyntaxError } from './lexer.ts';
import { rawSet } from './library-table.ts';
import { formatNumber14 } from './number-format.ts';
import { parseUnsigned } from './number-parse.ts';
import {
  all,
  callSlow,
  first,
  isTrue,
  metamethod,
  NOTHING,
  stringMetatable,
  toNumber,
  toText,
  typeName,
} from './operations.ts';
import { CAUGHT_ERROR_STEPS, type Steps } from './steps.ts';
import { type LuaFunction, type LuaResult, LuaTable, type LuaValue } from './table.ts';
import { addressOf } from './table-keys.ts';

/** Most values a C function can push. */
const MAX_RESULTS = 8000;
/** Nested calls through C functions. */
const NATIVE_DEPTH_LIMIT = 199;

export interface BaseContext {
  readonly steps: Steps;
  /** Fails for an operation that would list the globals, some of which are missing here. */
  readonly globals: LuaTable;
  /** Compiles and links a text; throws LuaSyntaxError. */
  load(text: string, chunkName: string): LuaFunction;
}

export function createBaseLibrary(context: BaseContext): Record<string, LuaFunction> {
  const { steps, globals } = context;

  function protect(callee: LuaValue, args: readonly LuaValue[]): LuaValue[] | LuaError {
    const { depth, nativeDepth } = steps;
    try {
      if (++steps.nativeDepth >= NATIVE_DEPTH_LIMIT) throwRuntimeError('C stack overflow');
      return all(callSlow(callee, args));
    } catch (error) {
      if (!(error instanceof LuaError)) throw toHostFailure(error);
      steps.charge(CAUGHT_ERROR_STEPS);
      return error;
    } finally {
      steps.depth = depth;
      steps.nativeDepth = nativeDepth;
    }
  }

  function lua$pcall(...args: LuaValue[]): LuaResult {
    // The real server reads past its stack here.
    if (args.length === 0) throw new LuaUnsupported('pcall without arguments is not simulated.');
    const result = protect(args[0], args.slice(1));
    return result instanceof LuaError ? [false, result.value] : [true, ...result];
  }

  function lua$xpcall(...args: LuaValue[]): LuaResult {
    check.checkAny(args, 2);
    const result = protect(args[0], []);
    if (!(result instanceof LuaError)) return [true, ...result];
    return [false, first(callSlow(args[1], [result.value]))];
  }

  function refuseGlobals(table: LuaTable): void {
    if (table === globals) throw new LuaUnsupported('Listing the globals is not simulated.');
  }

  function lua$next(...args: LuaValue[]): LuaResult {
    const table = check.checkTable(args, 1);
    refuseGlobals(table);
    const position = table.advance(table.positionOf(args[1]));
    return position === 0 ? undefined : [table.keyAt(position), table.valueAt(position)];
  }

  function lua$pairs(...args: LuaValue[]): LuaResult {
    refuseGlobals(check.checkTable(args, 1));
    return [lua$next, args[0], undefined];
  }

  function lua$rawget(...args: LuaValue[]): LuaResult {
    const table = check.checkTable(args, 1);
    refuseGlobals(table);
    return table.get(check.checkAny(args, 2));
  }

  function lua$loadstring(...args: LuaValue[]): LuaResult {
    const text = check.checkString(args, 1);
    return load(context, text, check.optionalString(args, 2, text));
  }

  function lua$load(...args: LuaValue[]): LuaResult {
    const chunkName = check.optionalString(args, 2, '=(load)');
    const reader = check.checkFunction(args, 1);
    let text = '';
    for (;;) {
      steps.charge(1);
      const piece = readPiece(reader);
      if (piece === undefined || piece === '') return load(context, text, chunkName);
      text += piece;
    }
  }

  return {
    ...FUNCTIONS,
    load: lua$load,
    loadstring: lua$loadstring,
    next: lua$next,
    pairs: lua$pairs,
    pcall: lua$pcall,
    rawget: lua$rawget,
    xpcall: lua$xpcall,
  };
}

const FUNCTIONS: Readonly<Record<string, LuaFunction>> = {
  assert: lua$assert,
  error: lua$error,
  getmetatable: lua$getmetatable,
  ipairs: lua$ipairs,
  rawequal: lua$rawequal,
  rawset: lua$rawset,
  select: lua$select,
  setmetatable: lua$setmetatable,
  tonumber: lua$tonumber,
  tostring: lua$tostring,
  type: lua$type,
  unpack: lua$unpack,
};

/** A function, or nil and a message for a text that does not compile. */
function load(context: BaseContext, text: string, chunkName: string): LuaResult {
  try {
    return context.load(text, chunkName);
  } catch (error) {
    if (error instanceof LuaSyntaxError) return [undefined, error.message];
    throw error;
  }
}

/** One piece of a chunk under `load`. Redis' error handler sees errors here early: not imitated. */
function readPiece(reader: LuaFunction): string | undefined {
  try {
    const piece = first(reader());
    if (piece === undefined) return undefined;
    const text = toText(piece);
    if (text !== undefined) return text;
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
  }
  throw new LuaUnsupported('An error inside the reader of load is not simulated.');
}

/** A JavaScript stack that ran out is a limit of this host, not Lua's. */
export function toHostFailure(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new LuaHostLimit(
    'The script nests deeper or builds more than this JavaScript engine allows; run it with a larger stack (node --stack-size, or a worker with stackSizeMb).',
    { cause: error },
  );
}

function lua$assert(...args: LuaValue[]): LuaResult {
  if (!isTrue(check.checkAny(args, 1))) {
    throwNativeError(check.optionalString(args, 2, 'assertion failed!'));
  }
  return args;
}

function lua$error(...args: LuaValue[]): LuaResult {
  const level = check.optionalInt(args, 2, 1);
  const [value] = args;
  const text = toText(value);
  return throwValue(text !== undefined && level > 0 ? where(level) + text : value);
}

function lua$getmetatable(...args: LuaValue[]): LuaResult {
  const value = check.checkAny(args, 1);
  const hidden = metamethod(value, '__metatable');
  if (hidden !== undefined) return hidden;
  if (value instanceof LuaTable) return value.metatable;
  return typeof value === 'string' ? stringMetatable : undefined;
}

function lua$setmetatable(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  const metatable = args[1];
  if (args.length < 2 || (metatable !== undefined && !(metatable instanceof LuaTable))) {
    return throwArgumentError(2, 'nil or table expected');
  }
  if (table.metatable?.get('__metatable') !== undefined) {
    throwNativeError('cannot change a protected metatable');
  }
  if (table.isReadonly) throwRuntimeError('Attempt to modify a readonly table');
  table.metatable = metatable;
  return table;
}

function lua$ipairs(...args: LuaValue[]): LuaResult {
  check.checkTable(args, 1);
  return [lua$ipairsNext, args[0], 0];
}

function lua$ipairsNext(...args: LuaValue[]): LuaResult {
  const position = check.checkInt(args, 2) + 1;
  const value = check.checkTable(args, 1).get(position);
  return value === undefined ? NOTHING : [position, value];
}

function lua$rawequal(...args: LuaValue[]): LuaResult {
  return check.checkAny(args, 1) === check.checkAny(args, 2);
}

function lua$rawset(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  rawSet(table, check.checkAny(args, 2), check.checkAny(args, 3));
  return table;
}

function lua$select(...args: LuaValue[]): LuaResult {
  const [selector] = args;
  if (typeof selector === 'string' && selector.startsWith('#')) return args.length - 1;
  let from = check.checkInt(args, 1);
  if (from < 0) from += args.length;
  else if (from > args.length) from = args.length;
  if (from < 1) throwArgumentError(1, 'index out of range');
  return args.slice(from);
}

function lua$tonumber(...args: LuaValue[]): LuaResult {
  const base = check.optionalInt(args, 2, 10);
  if (base === 10) return toNumber(check.checkAny(args, 1));
  const text = check.checkString(args, 1);
  if (base < 2 || base > 36) throwArgumentError(2, 'base out of range');
  return parseUnsigned(text, base);
}

function lua$tostring(...args: LuaValue[]): LuaResult {
  const value = check.checkAny(args, 1);
  const handler = metamethod(value, '__tostring');
  if (handler !== undefined) return first(callSlow(handler, [value]));
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatNumber14(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'nil';
    default:
      return `${typeName(value)}: 0x${addressOf(value).toString(16)}`;
  }
}

function lua$type(...args: LuaValue[]): LuaResult {
  return typeName(check.checkAny(args, 1));
}

function lua$unpack(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  const from = check.optionalInt(args, 2, 1);
  const to = args[2] === undefined ? table.length() : check.checkInt(args, 3);
  if (from > to) return NOTHING;
  const count = to - from + 1;
  if (count > MAX_RESULTS - args.length) throwNativeError('too many results to unpack');
  const values: LuaValue[] = [];
  for (let position = from; position <= to; position++) values.push(table.get(position));
  return values;
}

// ---- versions the compiler calls directly: one argument, one value ------------------------------

export function toNumber1(value: LuaValue): LuaValue {
  return typeof value === 'number' ? value : toNumber(value);
}

export function toString1(value: LuaValue): LuaValue {
  return typeof value === 'string' ? value : first(lua$tostring(value));
}
