// The string library of Lua 5.1. string.dump is refused when a script is loaded (library-names.ts).

import * as check from './arguments.ts';
import { LuaHostLimit, throwArgumentError, throwNativeError } from './errors.ts';
import { first, index as indexValue, isTrue, toText, typeName } from './operations.ts';
import { isPlainPattern, PatternMatch } from './patterns.ts';
import { chargeSteps } from './steps.ts';
import { formatString } from './string-format.ts';
import type { LuaFunction, LuaResult, LuaValue } from './table.ts';
import { LuaTable } from './table.ts';

/** V8 refuses longer strings. */
const MAX_STRING = 0x1fffffe8;
/** Most values a C function can push. */
const MAX_RESULTS = 8000;
const REPEAT_STEPS_PER_BYTE = 1 / 64;
const CHARACTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

export const STRING_LIBRARY: Readonly<Record<string, LuaFunction>> = {
  byte: lua$byte,
  char: lua$char,
  find: lua$find,
  format: lua$format,
  gfind: lua$gmatch,
  gmatch: lua$gmatch,
  gsub: lua$gsub,
  len: lua$len,
  lower: lua$lower,
  match: lua$match,
  rep: lua$rep,
  reverse: lua$reverse,
  sub: lua$sub,
  upper: lua$upper,
};

function lua$len(...args: LuaValue[]): LuaResult {
  return check.checkString(args, 1).length;
}

function lua$sub(...args: LuaValue[]): LuaResult {
  const text = check.checkString(args, 1);
  const start = fromEnd(check.checkInteger(args, 2), text.length);
  const end = fromEnd(check.optionalInteger(args, 3, -1), text.length);
  return text.slice(Math.max(start, 1) - 1, Math.max(end, 0));
}

function lua$reverse(...args: LuaValue[]): LuaResult {
  return check.checkString(args, 1).split('').reverse().join('');
}

function lua$lower(...args: LuaValue[]): LuaResult {
  return check.checkString(args, 1).replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

function lua$upper(...args: LuaValue[]): LuaResult {
  return check.checkString(args, 1).replace(/[a-z]+/g, (run) => run.toUpperCase());
}

function lua$rep(...args: LuaValue[]): LuaResult {
  const text = check.checkString(args, 1);
  const count = check.checkInt(args, 2);
  if (count <= 0) return '';
  if (text.length * count > MAX_STRING) throw new LuaHostLimit('A string longer than 512 MiB.');
  chargeSteps(Math.ceil(text.length * count * REPEAT_STEPS_PER_BYTE));
  return text.repeat(count);
}

function lua$byte(...args: LuaValue[]): LuaResult {
  const text = check.checkString(args, 1);
  const from = fromEnd(check.optionalInteger(args, 2, 1), text.length);
  const to = fromEnd(check.optionalInteger(args, 3, from), text.length);
  const start = Math.max(from, 1);
  const end = Math.min(to, text.length);
  if (end - start + 1 > MAX_RESULTS - args.length) {
    throwNativeError('stack overflow (string slice too long)');
  }
  const codes: LuaValue[] = [];
  for (let at = start; at <= end; at++) codes.push(text.charCodeAt(at - 1));
  return codes;
}

function lua$char(...args: LuaValue[]): LuaResult {
  let text = '';
  for (let position = 1; position <= args.length; position++) {
    const code = check.checkInt(args, position);
    text += CHARACTERS[code] ?? throwArgumentError(position, 'invalid value');
  }
  return text;
}

function lua$format(...args: LuaValue[]): LuaResult {
  return formatString(args);
}

function lua$find(...args: LuaValue[]): LuaResult {
  return find(args, true);
}

function lua$match(...args: LuaValue[]): LuaResult {
  return find(args, false);
}

function find(args: LuaValue[], isFind: boolean): LuaResult {
  const text = check.checkString(args, 1);
  const pattern = check.checkString(args, 2);
  const from = fromEnd(check.optionalInteger(args, 3, 1), text.length) - 1;
  const start = Math.min(Math.max(from, 0), text.length);
  if (isFind && (isTrue(args[3]) || isPlainPattern(pattern))) {
    const at = text.indexOf(pattern, start);
    return at < 0 ? undefined : [at + 1, at + pattern.length];
  }
  const isAnchored = pattern.charCodeAt(0) === 94;
  const match = new PatternMatch(text, pattern);
  for (let at = start; at <= text.length; at++) {
    const end = match.matchAt(at, isAnchored ? 1 : 0);
    if (end >= 0) {
      return isFind
        ? [at + 1, end, ...match.captures(at, end, false)]
        : match.captures(at, end, true);
    }
    if (isAnchored) break;
  }
  return undefined;
}

function lua$gmatch(...args: LuaValue[]): LuaResult {
  const text = check.checkString(args, 1);
  const pattern = check.checkString(args, 2);
  let next = 0;
  return function lua$gmatchNext(): LuaResult {
    const match = new PatternMatch(text, pattern);
    for (let at = next; at <= text.length; at++) {
      const end = match.matchAt(at, 0);
      if (end < 0) continue;
      next = end === at ? end + 1 : end;
      return match.captures(at, end, true);
    }
    return [];
  };
}

function lua$gsub(...args: LuaValue[]): LuaResult {
  const text = check.checkString(args, 1);
  const pattern = check.checkString(args, 2);
  const replacement = args[2];
  const limit = check.optionalInt(args, 4, text.length + 1);
  const kind = typeName(replacement);
  if (kind !== 'number' && kind !== 'string' && kind !== 'function' && kind !== 'table') {
    throwArgumentError(3, 'string/function/table expected');
  }
  const isAnchored = pattern.charCodeAt(0) === 94;
  const match = new PatternMatch(text, pattern);
  let result = '';
  let at = 0;
  let count = 0;
  while (count < limit) {
    const end = match.matchAt(at, isAnchored ? 1 : 0);
    if (end >= 0) {
      count++;
      result += replaceMatch(match, text, at, end, replacement);
    }
    if (end > at) at = end;
    else if (at < text.length) result += text.charAt(at++);
    else break;
    if (isAnchored) break;
  }
  return [result + text.slice(at), count];
}

function replaceMatch(
  match: PatternMatch,
  text: string,
  start: number,
  end: number,
  replacement: LuaValue,
): string {
  const template = toText(replacement);
  if (template !== undefined) return expandTemplate(match, text, start, end, template);
  let value: LuaValue;
  if (typeof replacement === 'function') {
    value = first(replacement(...match.captures(start, end, true)));
  } else if (replacement instanceof LuaTable) {
    value = indexValue(replacement, match.capture(0, start, end));
  }
  if (!isTrue(value)) return text.slice(start, end);
  return toText(value) ?? throwNativeError(`invalid replacement value (a ${typeName(value)})`);
}

/** A percent sign at the very end copies the zero byte that ends a C string. */
function expandTemplate(
  match: PatternMatch,
  text: string,
  start: number,
  end: number,
  template: string,
): string {
  if (!template.includes('%')) return template;
  let result = '';
  for (let at = 0; at < template.length; at++) {
    const character = template.charAt(at);
    if (character !== '%') {
      result += character;
      continue;
    }
    at++;
    const code = template.charCodeAt(at) | 0;
    if (code < 48 || code > 57) result += String.fromCharCode(code);
    else if (code === 48) result += text.slice(start, end);
    else result += toText(match.capture(code - 49, start, end)) ?? '';
  }
  return result;
}

/** A negative position counts from the end; one before the start is 0. */
function fromEnd(position: number, length: number): number {
  if (position >= 0) return position;
  return Math.max(position + length + 1, 0);
}

// ---- versions the compiler calls directly: a fixed number of arguments, one value ---------------

export function byteAt(text: LuaValue, position: LuaValue): LuaValue {
  if (typeof text === 'string' && typeof position === 'number') {
    if (position >= 1 && position <= text.length) return text.charCodeAt(position - 1);
  }
  return first(lua$byte(text, position));
}

export function byteFirst(text: LuaValue): LuaValue {
  if (typeof text === 'string' && text.length > 0) return text.charCodeAt(0);
  return first(lua$byte(text));
}

export function char1(a: LuaValue): LuaValue {
  return (typeof a === 'number' ? CHARACTERS[a] : undefined) ?? first(lua$char(a));
}

export function char2(a: LuaValue, b: LuaValue): LuaValue {
  if (isByte(a) && isByte(b)) return String.fromCharCode(a, b);
  return first(lua$char(a, b));
}

export function char3(a: LuaValue, b: LuaValue, c: LuaValue): LuaValue {
  if (isByte(a) && isByte(b) && isByte(c)) return String.fromCharCode(a, b, c);
  return first(lua$char(a, b, c));
}

export function char4(a: LuaValue, b: LuaValue, c: LuaValue, d: LuaValue): LuaValue {
  if (isByte(a) && isByte(b) && isByte(c) && isByte(d)) return String.fromCharCode(a, b, c, d);
  return first(lua$char(a, b, c, d));
}

function isByte(value: LuaValue): value is number {
  return typeof value === 'number' && value >= 0 && value < 256;
}

export function substring(text: LuaValue, from: LuaValue, to: LuaValue): LuaValue {
  if (typeof text === 'string' && typeof from === 'number' && typeof to === 'number') {
    if (from >= 1 && to >= 0) return text.slice(from - 1, to);
  }
  return first(lua$sub(text, from, to));
}

export function substringFrom(text: LuaValue, from: LuaValue): LuaValue {
  if (typeof text === 'string' && typeof from === 'number' && from >= 1)
    return text.slice(from - 1);
  return first(lua$sub(text, from));
}

export function textLength(text: LuaValue): LuaValue {
  return typeof text === 'string' ? text.length : first(lua$len(text));
}
