// The errors a Lua run can end with, and how messages get their positions and variable names.
// A LuaError is what `error` throws and `pcall` catches. The other classes are the harness's: no
// script can catch them, because they mean that this implementation cannot say what Redis would do.

import { captureFrames, type Frame, type Level } from './positions.ts';
import type { LuaValue } from './table.ts';

/** A Lua error in flight. Not a JavaScript Error, as scripts throw often and read no JavaScript stack. */
export class LuaError {
  /** Any Lua value; nearly always a string, or a table with `err`. */
  readonly value: LuaValue;
  /** Chunk name (`@user_script`) and line Redis' error handler would see; absent outside Lua code. */
  readonly source: string | undefined;
  readonly line: number | undefined;

  constructor(value: LuaValue, frame: Frame | undefined) {
    this.value = value;
    this.source = frame?.chunkName;
    this.line = frame?.site?.line;
  }
}

/** The script ran longer than its step budget: an endless loop, or as good as one. */
export class LuaBudgetExceeded extends Error {
  readonly code = 'lua-budget-exceeded';
  override readonly name = 'LuaBudgetExceeded';
}

/** The script uses something Redis has and this implementation does not. */
export class LuaUnsupported extends Error {
  readonly code = 'lua-unsupported';
  override readonly name = 'LuaUnsupported';
}

/** The script went deeper or larger than this JavaScript engine can, though Redis could. */
export class LuaHostLimit extends Error {
  readonly code = 'lua-host-limit';
  override readonly name = 'LuaHostLimit';
}

/** Throws a value as `error` does, noting the place Redis reports for an uncaught error. */
export function throwValue(value: LuaValue): never {
  throw new LuaError(value, reportedFrame(captureFrames(2)));
}

/** An error of the language core: positioned when raised by Lua code, bare inside a library function. */
export function throwRuntimeError(message: string): never {
  const frames = captureFrames(2);
  throw new LuaError(position(frames[0]) + message, reportedFrame(frames));
}

/** Raised on entry of a function, and reported at the call. */
export function throwStackOverflow(): never {
  const frames = captureFrames(2);
  throw new LuaError(`${position(frames[1])}stack overflow`, reportedFrame(frames.slice(1)));
}

/** An error a library function raises about its caller. */
export function throwNativeError(message: string): never {
  const frames = captureFrames(2);
  throw new LuaError(position(frames[1]) + message, reportedFrame(frames));
}

/** "attempt to <action> local 'x' (a nil value)"; `operand` selects the name among those of the site. */
export function throwTypeError(action: string, typeName: string, operand: number): never {
  const frames = captureFrames(2);
  const [top] = frames;
  const name = typeof top === 'object' ? top.site?.names[operand] : undefined;
  const what = name === undefined ? `a ${typeName} value` : `${name} (a ${typeName} value)`;
  const message = `attempt to ${action} ${what}`;
  throw new LuaError(position(top) + message, reportedFrame(frames));
}

/** "bad argument #1 to 'byte' (…)", with the name the caller used. */
export function throwArgumentError(argument: number, message: string): never {
  const frames = captureFrames(2);
  const [, caller] = frames;
  const site = typeof caller === 'object' ? caller.site : undefined;
  // A metamethod that an operator called has no name.
  const name = site?.kind === 'operation' ? undefined : site?.names[0];
  const text = describeArgument(name, argument, message);
  throw new LuaError(position(caller) + text, reportedFrame(frames));
}

/** The prefix `luaL_where` gives for a level of the stack: 1 is the caller of the library function. */
export function where(level: number): string {
  return position(captureFrames(level + 1)[level]);
}

function describeArgument(name: string | undefined, argument: number, message: string): string {
  const [, kind, bare] = /^(\w+) '(.*)'$/s.exec(name ?? '') ?? [];
  if (kind !== 'method') return `bad argument #${argument} to '${bare ?? '?'}' (${message})`;
  if (argument === 1) return `calling '${bare}' on bad self (${message})`;
  return `bad argument #${argument - 1} to '${bare}' (${message})`;
}

function position(level: Level | undefined): string {
  return typeof level === 'object' ? `${level.chunkId}:${level.site?.line ?? 0}: ` : '';
}

/** Redis' handler looks at the function that raised the error, or at its caller when that is a C function. */
function reportedFrame([first, second]: readonly Level[]): Frame | undefined {
  const level = first === 'native' ? second : first;
  return typeof level === 'object' ? level : undefined;
}
