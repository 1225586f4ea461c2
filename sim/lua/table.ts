// Lua values and the Lua table. The table keeps the array and node layout of the reference
// implementation (sizes, main positions, collisions), because `#t` with holes and the order of
// `pairs` follow from it and scripts can see both. Lookups go through a JavaScript Map instead of
// collision chains, which is faster and gives the same answers.
// Leaves out: weak tables, and the garbage collector's clearing of dead keys.

import { throwRuntimeError } from './errors.ts';
import { hashKey } from './table-keys.ts';

/** A Lua value; strings are latin1, one character per byte; undefined is nil. */
export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction;

/** One value as itself; none or several as an array, which nobody may change. */
export type LuaResult = LuaValue | LuaValue[];

/** A Lua or host function. */
export type LuaFunction = (...args: LuaValue[]) => LuaResult;

/** Largest array part: 2^26 elements. */
const MAX_BITS = 26;

/** The node vector of a table: open slots, chained by collision. Undefined keys are free slots. */
class HashPart {
  readonly slots = new Map<LuaValue, number>();
  readonly keys: LuaValue[];
  readonly values: LuaValue[];
  readonly chain: number[];
  lastFree: number;

  constructor(size: number) {
    this.keys = new Array<LuaValue>(size).fill(undefined);
    this.values = new Array<LuaValue>(size).fill(undefined);
    this.chain = new Array<number>(size).fill(-1);
    this.lastFree = size;
  }

  takeFreeSlot(): number {
    while (this.lastFree > 0) {
      this.lastFree--;
      if (this.keys[this.lastFree] === undefined) return this.lastFree;
    }
    return -1;
  }
}

export class LuaTable {
  /** The array part: element 1 first; its length is the size of the array part, holes are undefined. */
  readonly array: LuaValue[];
  hash: HashPart | undefined = undefined;
  metatable: LuaTable | undefined = undefined;
  /** Set on the library tables and the globals after creation, as Redis does. */
  isReadonly = false;

  /**
   * @param arraySize, hashSize room made beforehand, as a table constructor does
   * @param array the first elements; the table keeps and changes this very array
   */
  constructor(arraySize = 0, hashSize = 0, array: LuaValue[] = []) {
    this.array = array;
    for (let size = array.length; size < arraySize; size++) array.push(undefined);
    if (hashSize > 0) this.hash = new HashPart(ceilPowerOfTwo(hashSize));
  }

  /** A table holding the values at 1, 2, …, as a C function that appends them one by one leaves it. */
  static from(values: readonly LuaValue[]): LuaTable {
    const size = values.length === 0 ? 0 : ceilPowerOfTwo(values.length);
    return new LuaTable(size, 0, values.slice());
  }

  /** Raw read. */
  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && (key | 0) === key && key > 0 && key <= this.array.length) {
      return this.array[key - 1];
    }
    return this.getHashed(key);
  }

  /** Raw read of a key that cannot be in the array part. */
  getHashed(key: LuaValue): LuaValue {
    const hash = this.hash;
    if (hash === undefined) return undefined;
    const slot = hash.slots.get(key);
    return slot === undefined ? undefined : hash.values[slot];
  }

  /** Raw write. A nil or NaN key is a Lua error. */
  set(key: LuaValue, value: LuaValue): void {
    if (typeof key === 'number') {
      if ((key | 0) === key && key > 0 && key <= this.array.length) {
        this.array[key - 1] = value;
        return;
      }
      if (Number.isNaN(key)) throwRuntimeError('table index is NaN');
    } else if (key === undefined) throwRuntimeError('table index is nil');
    const hash = this.hash;
    if (hash !== undefined) {
      const slot = hash.slots.get(key);
      if (slot !== undefined) {
        hash.values[slot] = value;
        return;
      }
    }
    this.#insert(key, value);
  }

  /** A border as `#t` gives it: some n with t[n] present and t[n + 1] absent. */
  length(): number {
    const { array } = this;
    const size = array.length;
    if (size > 0 && array[size - 1] === undefined) {
      return findBorder(0, size, (index) => array[index - 1] !== undefined);
    }
    return this.hash === undefined ? size : this.#lengthBeyondArray();
  }

  #lengthBeyondArray(): number {
    let low = this.array.length;
    let high = low + 1;
    while (this.get(high) !== undefined) {
      low = high;
      high *= 2;
      if (high > 0x7fffffff) {
        let index = 1;
        while (this.get(index) !== undefined) index++;
        return index - 1;
      }
    }
    return findBorder(low, high, (index) => this.get(index) !== undefined);
  }

  /** Next position after `position` (0 to start) that holds a value, or 0 at the end. */
  advance(position: number): number {
    const { array, hash } = this;
    let index = position;
    for (; index < array.length; index++) {
      if (array[index] !== undefined) return index + 1;
    }
    if (hash === undefined) return 0;
    const { values } = hash;
    for (let slot = index - array.length; slot < values.length; slot++) {
      if (values[slot] !== undefined) return slot + array.length + 1;
    }
    return 0;
  }

  /** `advance` in a traversal whose body may have moved the key it stands at, as new keys do. */
  advanceFrom(position: number, key: LuaValue): number {
    const isInPlace = this.keyAt(position) === key;
    return this.advance(isInPlace ? position : this.positionOf(key));
  }

  keyAt(position: number): LuaValue {
    const size = this.array.length;
    return position <= size ? position : this.hash?.keys[position - size - 1];
  }

  valueAt(position: number): LuaValue {
    const size = this.array.length;
    return position <= size ? this.array[position - 1] : this.hash?.values[position - size - 1];
  }

  /** The position of a key given to `next`. */
  positionOf(key: LuaValue): number {
    if (key === undefined) return 0;
    const size = this.array.length;
    if (typeof key === 'number' && Number.isInteger(key) && key > 0 && key <= size) return key;
    const slot = this.hash?.slots.get(key);
    if (slot === undefined) return throwRuntimeError("invalid key to 'next'");
    return size + slot + 1;
  }

  /** Grows the array part to at least `size`, as a constructor's list of unknown length does. */
  reserveArray(size: number): void {
    if (size > this.array.length) this.#resize(size, this.hash?.keys.length ?? 0);
  }

  /** Brent's variation of a chained scatter table: a colliding node not in its main position moves. */
  #insert(key: LuaValue, value: LuaValue): void {
    const { hash } = this;
    if (hash === undefined) {
      this.#rehash(key, value);
      return;
    }
    const { keys, values, chain, slots } = hash;
    let slot = hashKey(key, keys.length);
    if (values[slot] !== undefined) {
      const free = hash.takeFreeSlot();
      if (free < 0) {
        this.#rehash(key, value);
        return;
      }
      const colliding = keys[slot];
      let previous = hashKey(colliding, keys.length);
      if (previous !== slot) {
        while (chain[previous] !== slot) previous = chain[previous] ?? slot;
        chain[previous] = free;
        keys[free] = colliding;
        values[free] = values[slot];
        chain[free] = chain[slot] ?? -1;
        slots.set(colliding, free);
        chain[slot] = -1;
      } else {
        chain[free] = chain[slot] ?? -1;
        chain[slot] = free;
        slot = free;
      }
    } else if (keys[slot] !== undefined) slots.delete(keys[slot]);
    keys[slot] = key;
    values[slot] = value;
    slots.set(key, slot);
  }

  /** Chooses the largest n such that more than half of 1..n is in use as the new array size. */
  #rehash(key: LuaValue, value: LuaValue): void {
    if (this.hash === undefined && this.#isAppended(key)) {
      const size = ceilPowerOfTwo(this.array.length + 1);
      this.array.push(value);
      while (this.array.length < size) this.array.push(undefined);
      return;
    }
    const counts = new Array<number>(MAX_BITS + 1).fill(0);
    let integers = 0;
    let total = 1;
    const count = (candidate: LuaValue): void => {
      if (typeof candidate !== 'number' || (candidate | 0) !== candidate) return;
      if (candidate < 1 || candidate > 2 ** MAX_BITS) return;
      const bits = ceilLog2(candidate);
      counts[bits] = (counts[bits] ?? 0) + 1;
      integers++;
    };
    for (let index = 0; index < this.array.length; index++) {
      if (this.array[index] === undefined) continue;
      count(index + 1);
      total++;
    }
    const { hash } = this;
    if (hash !== undefined) {
      for (let slot = 0; slot < hash.keys.length; slot++) {
        if (hash.values[slot] === undefined) continue;
        count(hash.keys[slot]);
        total++;
      }
    }
    count(key);
    const { size, used } = chooseArraySize(counts, integers);
    this.#resize(size, total - used);
    this.set(key, value);
  }

  /** Whether the key follows a full array part: the common growth, whose outcome needs no counting. */
  #isAppended(key: LuaValue): boolean {
    const { array } = this;
    if (key !== array.length + 1) return false;
    for (let index = 0; index < array.length; index++) {
      if (array[index] === undefined) return false;
    }
    return true;
  }

  #resize(arraySize: number, hashSize: number): void {
    const { array, hash: old } = this;
    while (array.length < arraySize) array.push(undefined);
    this.hash = hashSize === 0 ? undefined : new HashPart(ceilPowerOfTwo(hashSize));
    if (arraySize < array.length) {
      const vanishing = array.splice(arraySize);
      for (let index = 0; index < vanishing.length; index++) {
        const value = vanishing[index];
        if (value !== undefined) this.set(arraySize + index + 1, value);
      }
    }
    if (old === undefined) return;
    for (let slot = old.keys.length - 1; slot >= 0; slot--) {
      const value = old.values[slot];
      if (value !== undefined) this.set(old.keys[slot], value);
    }
  }
}

function chooseArraySize(
  counts: readonly number[],
  integers: number,
): { size: number; used: number } {
  let seen = 0;
  let size = 0;
  let used = 0;
  for (let bits = 0, power = 1; power / 2 < integers; bits++, power *= 2) {
    const count = counts[bits] ?? 0;
    seen += count;
    if (count > 0 && seen > power / 2) {
      size = power;
      used = seen;
    }
    if (seen === integers) break;
  }
  return { size, used };
}

/** Binary search between a present (or zero) index and an absent one. */
function findBorder(present: number, absent: number, has: (index: number) => boolean): number {
  let low = present;
  let high = absent;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (has(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function ceilLog2(value: number): number {
  return value <= 1 ? 0 : 32 - Math.clz32(value - 1);
}

function ceilPowerOfTwo(value: number): number {
  return 1 << ceilLog2(value);
}
