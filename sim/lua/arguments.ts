// Reads the arguments of library functions with Lua's conversions and its error texts
// ("bad argument #1 to 'byte' (string expected, got nil)").

import { throwArgumentError } from './errors.ts';
import { formatNumber14 } from './number-format.ts';
import { toNumber, typeName } from './operations.ts';
import { type LuaFunction, LuaTable, type LuaValue } from './table.ts';

type Arguments = readonly LuaValue[];

/** Fails with "<expected> expected, got <type>"; positions count from 1. */
export function throwArgumentType(args: Arguments, position: number, expected: string): never {
  const given = position > args.length ? 'no value' : typeName(args[position - 1]);
  return throwArgumentError(position, `${expected} expected, got ${given}`);
}

export function checkAny(args: Arguments, position: number): LuaValue {
  if (position > args.length) return throwArgumentError(position, 'value expected');
  return args[position - 1];
}

export function checkString(args: Arguments, position: number): string {
  const value = args[position - 1];
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber14(value);
  return throwArgumentType(args, position, 'string');
}

export function optionalString(args: Arguments, position: number, fallback: string): string {
  return args[position - 1] === undefined ? fallback : checkString(args, position);
}

export function checkNumber(args: Arguments, position: number): number {
  const value = args[position - 1];
  if (typeof value === 'number') return value;
  return toNumber(value) ?? throwArgumentType(args, position, 'number');
}

/** A C `ptrdiff_t`: truncated toward zero; what does not fit becomes -2^63, as the processor does it. */
export function checkInteger(args: Arguments, position: number): number {
  return truncate(checkNumber(args, position));
}

export function optionalInteger(args: Arguments, position: number, fallback: number): number {
  return args[position - 1] === undefined ? fallback : checkInteger(args, position);
}

/** A C `int`: the low 32 bits of the integer. */
export function checkInt(args: Arguments, position: number): number {
  return checkInteger(args, position) | 0;
}

export function optionalInt(args: Arguments, position: number, fallback: number): number {
  return args[position - 1] === undefined ? fallback : checkInt(args, position);
}

export function checkTable(args: Arguments, position: number): LuaTable {
  const value = args[position - 1];
  return value instanceof LuaTable ? value : throwArgumentType(args, position, 'table');
}

export function checkFunction(args: Arguments, position: number): LuaFunction {
  const value = args[position - 1];
  return typeof value === 'function' ? value : throwArgumentType(args, position, 'function');
}

export function truncate(value: number): number {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2 ** 63);
}
