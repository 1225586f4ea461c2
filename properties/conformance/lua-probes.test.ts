// Runs every recorded Lua probe and compares with what the real Redis 7.0.15 answered, word for word.
// Uses a conversion of results of its own, so that a fault here is a fault of sim/lua alone.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  compileChunk,
  createHostTable,
  createLuaState,
  LuaError,
  LuaHostLimit,
  LuaSyntaxError,
  LuaTable,
  type LuaValue,
} from '../../sim/lua/index.ts';

interface Probe {
  readonly name: string;
  readonly script: string;
  readonly reply: unknown;
}

const recorded: { probes: Probe[] } = JSON.parse(
  readFileSync(new URL('./lua-probes.json', import.meta.url), 'utf8'),
);
const state = createLuaState({ globals: { redis: createHostTable({}) } });

/** Needs about 20 000 nested calls, more than a default JavaScript stack holds. */
const DEEP = 'return 1 + f(n + 1)';

describe('Lua against Redis 7.0.15', () => {
  it('has at least 150 probes', () => {
    expect(recorded.probes.length).toBeGreaterThanOrEqual(150);
  });

  it.each(recorded.probes)('answers probe $name as the server does', ({ script, reply }) => {
    expect(evaluate(script)).toEqual(script.includes(DEEP) ? expectDeep(reply) : reply);
  });
});

/** The one probe whose answer depends on the JavaScript stack: equal, or refused by name. */
function expectDeep(reply: unknown): unknown {
  return expect.toSatisfy((got) => got === LuaHostLimit.name || isEqual(got, reply));
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function evaluate(script: string): unknown {
  try {
    const chunk = compileChunk(script, '@user_script');
    return toReply(state.run(chunk, { keys: new LuaTable(), argv: new LuaTable() }));
  } catch (error) {
    if (error instanceof LuaHostLimit) return LuaHostLimit.name;
    if (error instanceof LuaError) return { error: describeError(error, script) };
    if (!(error instanceof LuaSyntaxError)) throw error;
    return { error: `ERR Error compiling script (new function): ${error.message}` };
  }
}

function describeError({ value, source, line }: LuaError, script: string): string {
  const sha = createHash('sha1').update(Buffer.from(script, 'latin1')).digest('hex');
  const place = source === undefined ? '' : ` script: ${sha}, on ${source}:${line}.`;
  if (value instanceof LuaTable) return `${value.get('err')}${place}`;
  return `ERR ${value === undefined ? 'nil' : String(value)}${place}`;
}

function toReply(value: LuaValue): unknown {
  if (typeof value === 'number') return Math.trunc(value) + 0;
  if (typeof value === 'string') return value;
  if (value === true) return 1;
  if (!(value instanceof LuaTable)) return null;
  const failure = value.get('err');
  if (typeof failure === 'string') return { error: failure };
  const status = value.get('ok');
  if (typeof status === 'string') return status;
  const items: unknown[] = [];
  for (let index = 1; ; index++) {
    const item = value.get(index);
    if (item === undefined) return items;
    items.push(toReply(item));
  }
}
