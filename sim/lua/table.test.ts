import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LuaTable, type LuaValue } from './table.ts';

const key = fc.oneof(
  fc.integer({ min: -2, max: 40 }),
  fc.constantFrom('a', 'b', 'limit', 'rate', 'tokens'),
  fc.boolean(),
  fc.double({ noNaN: true }),
);
const steps = fc.array(fc.tuple(key, fc.option(fc.integer(), { nil: undefined })), {
  maxLength: 120,
  size: 'max',
});

describe('a Lua table', () => {
  it('holds what a map would hold', () => {
    fc.assert(
      fc.property(steps, (writes) => {
        const table = new LuaTable();
        const model = new Map<LuaValue, LuaValue>();
        for (const [name, value] of writes) {
          table.set(name, value);
          model.set(name, value);
        }
        for (const [name, value] of model) expect(table.get(name)).toBe(value);
      }),
    );
  });

  it('visits each present key once', () => {
    fc.assert(
      fc.property(steps, (writes) => {
        const table = new LuaTable();
        for (const [name, value] of writes) table.set(name, value);
        const seen = new Set<LuaValue>();
        for (let at = table.advance(0); at !== 0; at = table.advance(at)) {
          const visited = table.keyAt(at);
          expect(seen.has(visited)).toBe(false);
          expect(table.positionOf(visited)).toBe(at);
          seen.add(visited);
        }
        const present = new Set(
          writes.map(([name]) => name).filter((name) => table.get(name) !== undefined),
        );
        expect(seen.size).toBe(present.size);
      }),
    );
  });

  it('has a border as its length', () => {
    fc.assert(
      fc.property(steps, (writes) => {
        const table = new LuaTable();
        for (const [name, value] of writes) table.set(name, value);
        const length = table.length();
        expect(table.get(length + 1)).toBe(undefined);
        if (length > 0) expect(table.get(length)).not.toBe(undefined);
      }),
    );
  });

  it('keeps values appended one by one in its array part', () => {
    const table = new LuaTable();
    for (let index = 1; index <= 100; index++) table.set(index, index);
    expect(table.hash).toBe(undefined);
    expect(table.array.length).toBe(128);
    expect(table.length()).toBe(100);
  });
});
