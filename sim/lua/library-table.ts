// The table library of Lua 5.1. The sort is the reference's quicksort step by step, because the order
// of equal elements and the comparisons made are visible to scripts.

import * as check from './arguments.ts';
import { throwNativeError, throwRuntimeError } from './errors.ts';
import { first, isTrue, lessThan, NOTHING, toText, typeName } from './operations.ts';
import type { LuaFunction, LuaResult, LuaTable, LuaValue } from './table.ts';

export const TABLE_LIBRARY: Readonly<Record<string, LuaFunction>> = {
  concat: lua$concat,
  foreach: lua$foreach,
  foreachi: lua$foreachi,
  getn: lua$getn,
  insert: lua$insert,
  maxn: lua$maxn,
  remove: lua$remove,
  setn: lua$setn,
  sort: lua$sort,
};

/** A raw write by a library function; Redis' library tables refuse it without a position. */
export function rawSet(table: LuaTable, key: LuaValue, value: LuaValue): void {
  if (table.isReadonly) throwRuntimeError('Attempt to modify a readonly table');
  table.set(key, value);
}

function lua$getn(...args: LuaValue[]): LuaResult {
  return check.checkTable(args, 1).length();
}

function lua$setn(...args: LuaValue[]): LuaResult {
  check.checkTable(args, 1);
  return throwNativeError("'setn' is obsolete");
}

function lua$maxn(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  let largest = 0;
  for (let at = table.advance(0); at !== 0; at = table.advance(at)) {
    const key = table.keyAt(at);
    if (typeof key === 'number' && key > largest) largest = key;
  }
  return largest;
}

function lua$concat(...args: LuaValue[]): LuaResult {
  const separator = check.optionalString(args, 2, '');
  const table = check.checkTable(args, 1);
  const start = check.optionalInt(args, 3, 1);
  const end = args[3] === undefined ? table.length() : check.checkInt(args, 4);
  const parts: string[] = [];
  for (let position = start; position <= end; position++) {
    const value = table.get(position);
    parts.push(
      toText(value) ??
        throwNativeError(
          `invalid value (${typeName(value)}) at index ${position} in table for 'concat'`,
        ),
    );
  }
  return parts.join(separator);
}

function lua$insert(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  let end = table.length() + 1;
  let position = end;
  if (args.length === 3) {
    position = check.checkInt(args, 2);
    if (position > end) end = position;
    for (let at = end; at > position; at--) rawSet(table, at, table.get(at - 1));
  } else if (args.length !== 2) throwNativeError("wrong number of arguments to 'insert'");
  rawSet(table, position, args[args.length - 1]);
  return NOTHING;
}

/** `table.insert(t, v)` as the compiler calls it. */
export function append(table: LuaValue, value: LuaValue): LuaValue {
  lua$insert(table, value);
  return undefined;
}

function lua$remove(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  const end = table.length();
  let position = check.optionalInt(args, 2, end);
  if (position < 1 || position > end) return NOTHING;
  const removed = table.get(position);
  for (; position < end; position++) rawSet(table, position, table.get(position + 1));
  rawSet(table, end, undefined);
  return removed;
}

function lua$foreach(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  const visit = check.checkFunction(args, 2);
  for (let at = table.advance(0); at !== 0; at = table.advance(at)) {
    const result = first(visit(table.keyAt(at), table.valueAt(at)));
    if (result !== undefined) return result;
  }
  return NOTHING;
}

function lua$foreachi(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  const end = table.length();
  const visit = check.checkFunction(args, 2);
  for (let position = 1; position <= end; position++) {
    const result = first(visit(position, table.get(position)));
    if (result !== undefined) return result;
  }
  return NOTHING;
}

function lua$sort(...args: LuaValue[]): LuaResult {
  const table = check.checkTable(args, 1);
  const end = table.length();
  const order = args[1] === undefined ? undefined : check.checkFunction(args, 2);
  new Sorter(table, order).sort(1, end);
  return NOTHING;
}

class Sorter {
  readonly #table: LuaTable;
  readonly #order: LuaFunction | undefined;

  constructor(table: LuaTable, order: LuaFunction | undefined) {
    this.#table = table;
    this.#order = order;
  }

  sort(from: number, to: number): void {
    let low = from;
    let high = to;
    while (low < high) {
      this.#orderPair(low, high);
      if (high - low === 1) return;
      const middle = Math.floor((low + high) / 2);
      if (!this.#orderPair(low, middle)) this.#orderPair(middle, high);
      if (high - low === 2) return;
      const pivot = this.#table.get(middle);
      this.#swap(middle, high - 1);
      const at = this.#partition(low, high, pivot);
      this.#swap(high - 1, at);
      if (at - low < high - at) {
        this.sort(low, at - 1);
        low = at + 1;
      } else {
        this.sort(at + 1, high);
        high = at - 1;
      }
    }
  }

  /** Where the pivot, kept at high - 1, belongs. */
  #partition(low: number, high: number, pivot: LuaValue): number {
    let up = low;
    let down = high - 1;
    for (;;) {
      while (this.#isLess(this.#table.get(++up), pivot)) {
        if (up > high) throwNativeError('invalid order function for sorting');
      }
      while (this.#isLess(pivot, this.#table.get(--down))) {
        if (down < low) throwNativeError('invalid order function for sorting');
      }
      if (down < up) return up;
      this.#swap(up, down);
    }
  }

  /** Swaps the elements when the later one is less; whether it did. */
  #orderPair(low: number, high: number): boolean {
    if (!this.#isLess(this.#table.get(high), this.#table.get(low))) return false;
    this.#swap(low, high);
    return true;
  }

  #isLess(a: LuaValue, b: LuaValue): boolean {
    return this.#order === undefined ? lessThan(a, b) : isTrue(first(this.#order(a, b)));
  }

  #swap(a: number, b: number): void {
    const held = this.#table.get(a);
    rawSet(this.#table, a, this.#table.get(b));
    rawSet(this.#table, b, held);
  }
}
