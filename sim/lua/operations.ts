// What the operators of Lua do when the generated code's inline fast paths do not apply: string
// coercion, metamethods, errors. Fast paths live in the generated code and must agree with these.

import { LuaHostLimit, throwRuntimeError, throwTypeError } from './errors.ts';
import { formatNumber14 } from './number-format.ts';
import { parseNumber } from './number-parse.ts';
import { power } from './power.ts';
import { type LuaFunction, type LuaResult, LuaTable, type LuaValue } from './table.ts';

/** Bounds chains of __index and the like, as the reference does. */
const MAX_META_LOOP = 100;
/** V8 refuses longer strings. */
const MAX_STRING = 0x1fffffe8;

/** What a library keeps outside the values: the metatable all strings share. */
export const stringMetatable = new LuaTable();

/** No values at all. */
export const NOTHING: LuaValue[] = [];

export function typeName(value: LuaValue): string {
  switch (typeof value) {
    case 'undefined':
      return 'nil';
    case 'object':
      return 'table';
    default:
      return typeof value;
  }
}

/** The first of the values a call gave. */
export function first(result: LuaResult): LuaValue {
  return Array.isArray(result) ? result[0] : result;
}

/** All values a call gave, as an array nobody may change. */
export function all(result: LuaResult): LuaValue[] {
  return Array.isArray(result) ? result : [result];
}

export function metamethod(value: LuaValue, event: string): LuaValue {
  if (value instanceof LuaTable) return value.metatable?.getHashed(event);
  return typeof value === 'string' ? stringMetatable.getHashed(event) : undefined;
}

export function isTrue(value: LuaValue): boolean {
  return value !== undefined && value !== false;
}

export function toNumber(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

// ---- calls ------------------------------------------------------------------------------------

/** Calls a value that the generated code found not to be a function. */
export function callSlow(callee: LuaValue, args: readonly LuaValue[]): LuaResult {
  if (typeof callee === 'function') return callee(...args);
  const handler = metamethod(callee, '__call');
  if (typeof handler !== 'function') return throwTypeError('call', typeName(callee), 0);
  return handler(callee, ...args);
}

// ---- tables -----------------------------------------------------------------------------------

export function index(object: LuaValue, key: LuaValue): LuaValue {
  if (object instanceof LuaTable) {
    const value = object.get(key);
    if (value !== undefined || object.metatable === undefined) return value;
  }
  return indexSlow(object, key);
}

/** `index` for a constant key that is no number. */
export function indexName(object: LuaValue, key: string): LuaValue {
  if (object instanceof LuaTable) {
    const value = object.getHashed(key);
    if (value !== undefined || object.metatable === undefined) return value;
  }
  return indexSlow(object, key);
}

function indexSlow(object: LuaValue, key: LuaValue): LuaValue {
  let current = object;
  for (let loop = 0; loop < MAX_META_LOOP; loop++) {
    let handler: LuaValue;
    if (current instanceof LuaTable) {
      const value = current.get(key);
      if (value !== undefined) return value;
      handler = current.metatable?.getHashed('__index');
      if (handler === undefined) return undefined;
    } else {
      handler = metamethod(current, '__index');
      if (handler === undefined) return throwTypeError('index', typeName(current), 0);
    }
    if (typeof handler === 'function') return first(handler(current, key));
    current = handler;
  }
  return throwRuntimeError('loop in gettable');
}

export function setIndex(object: LuaValue, key: LuaValue, value: LuaValue): void {
  if (object instanceof LuaTable && object.metatable === undefined && !object.isReadonly) {
    object.set(key, value);
  } else setIndexSlow(object, key, value);
}

function setIndexSlow(object: LuaValue, key: LuaValue, value: LuaValue): void {
  let current = object;
  for (let loop = 0; loop < MAX_META_LOOP; loop++) {
    let handler: LuaValue;
    if (current instanceof LuaTable) {
      if (current.isReadonly) throwRuntimeError('Attempt to modify a readonly table');
      handler = current.metatable?.getHashed('__newindex');
      if (handler === undefined || current.get(key) !== undefined) {
        current.set(key, value);
        return;
      }
    } else {
      handler = metamethod(current, '__newindex');
      if (handler === undefined) throwTypeError('index', typeName(current), 0);
    }
    if (typeof handler === 'function') {
      handler(current, key, value);
      return;
    }
    current = handler;
  }
  throwRuntimeError('loop in settable');
}

export function length(value: LuaValue): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof LuaTable) return value.length();
  return throwTypeError('get length of', typeName(value), 0);
}

// ---- arithmetic -------------------------------------------------------------------------------

export function add(left: LuaValue, right: LuaValue): LuaValue {
  const a = toNumber(left);
  const b = toNumber(right);
  return a !== undefined && b !== undefined ? a + b : arithmeticMeta('__add', left, right);
}

export function subtract(left: LuaValue, right: LuaValue): LuaValue {
  const a = toNumber(left);
  const b = toNumber(right);
  return a !== undefined && b !== undefined ? a - b : arithmeticMeta('__sub', left, right);
}

export function multiply(left: LuaValue, right: LuaValue): LuaValue {
  const a = toNumber(left);
  const b = toNumber(right);
  return a !== undefined && b !== undefined ? a * b : arithmeticMeta('__mul', left, right);
}

export function divide(left: LuaValue, right: LuaValue): LuaValue {
  const a = toNumber(left);
  const b = toNumber(right);
  return a !== undefined && b !== undefined ? a / b : arithmeticMeta('__div', left, right);
}

export function modulo(left: LuaValue, right: LuaValue): LuaValue {
  const a = toNumber(left);
  const b = toNumber(right);
  if (a === undefined || b === undefined) return arithmeticMeta('__mod', left, right);
  return a - Math.floor(a / b) * b;
}

export function raise(left: LuaValue, right: LuaValue): LuaValue {
  const a = toNumber(left);
  const b = toNumber(right);
  return a !== undefined && b !== undefined ? power(a, b) : arithmeticMeta('__pow', left, right);
}

export function negate(operand: LuaValue): LuaValue {
  const a = toNumber(operand);
  return a !== undefined ? -a : arithmeticMeta('__unm', operand, operand);
}

function arithmeticMeta(event: string, left: LuaValue, right: LuaValue): LuaValue {
  const handler = binaryHandler(event, left, right);
  if (handler !== undefined) return first(handler(left, right));
  const isLeftWrong = toNumber(left) === undefined;
  const wrong = isLeftWrong ? left : right;
  return throwTypeError('perform arithmetic on', typeName(wrong), isLeftWrong ? 0 : 1);
}

function binaryHandler(event: string, left: LuaValue, right: LuaValue): LuaFunction | undefined {
  const handler = metamethod(left, event) ?? metamethod(right, event);
  if (handler === undefined) return undefined;
  if (typeof handler === 'function') return handler;
  return (...args) => callSlow(handler, args);
}

// ---- concatenation ----------------------------------------------------------------------------

/** `a .. b .. c`, right to left as metamethods see it. */
export function concat(operands: readonly LuaValue[]): LuaValue {
  let last = operands.length - 1;
  let result = operands[last];
  while (last > 0) {
    last--;
    result = concatPair(operands[last], result, last);
  }
  return result;
}

function concatPair(left: LuaValue, right: LuaValue, at: number): LuaValue {
  const a = toText(left);
  const b = toText(right);
  if (a !== undefined && b !== undefined) {
    if (a.length + b.length > MAX_STRING) throw new LuaHostLimit('A string longer than 512 MiB.');
    return a + b;
  }
  const handler = binaryHandler('__concat', left, right);
  if (handler !== undefined) return first(handler(left, right));
  const isLeftWrong = a === undefined;
  throwTypeError('concatenate', typeName(isLeftWrong ? left : right), isLeftWrong ? at : at + 1);
}

/** Strings and numbers have a text; nothing else does without tostring. */
export function toText(value: LuaValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatNumber14(value) : undefined;
}

// ---- comparison -------------------------------------------------------------------------------

export function equals(left: LuaValue, right: LuaValue): boolean {
  if (left === right) return true;
  if (!(left instanceof LuaTable && right instanceof LuaTable)) return false;
  const handler = left.metatable?.getHashed('__eq');
  if (typeof handler !== 'function') return false;
  if (left.metatable !== right.metatable && right.metatable?.getHashed('__eq') !== handler) {
    return false;
  }
  return isTrue(first(handler(left, right)));
}

export function lessThan(left: LuaValue, right: LuaValue): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  if (typeof left === 'string' && typeof right === 'string') return left < right;
  return compareMeta('__lt', left, right) ?? throwOrderError(left, right);
}

export function lessEqual(left: LuaValue, right: LuaValue): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left <= right;
  if (typeof left === 'string' && typeof right === 'string') return left <= right;
  const direct = compareMeta('__le', left, right);
  if (direct !== undefined) return direct;
  const reversed = compareMeta('__lt', right, left);
  return reversed === undefined ? throwOrderError(left, right) : !reversed;
}

function compareMeta(event: string, left: LuaValue, right: LuaValue): boolean | undefined {
  if (typeName(left) !== typeName(right)) return undefined;
  const handler = metamethod(left, event);
  if (handler === undefined || handler !== metamethod(right, event)) return undefined;
  return isTrue(first(callSlow(handler, [left, right])));
}

function throwOrderError(left: LuaValue, right: LuaValue): never {
  const a = typeName(left);
  const b = typeName(right);
  if (a === b) throwRuntimeError(`attempt to compare two ${a} values`);
  throwRuntimeError(`attempt to compare ${a} with ${b}`);
}

/** A bound of a numeric for loop that is not a number. */
export function forNumber(value: LuaValue, what: string): number {
  return toNumber(value) ?? throwRuntimeError(`'for' ${what} must be a number`);
}
