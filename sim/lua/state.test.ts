import { describe, expect, it } from 'vitest';
import {
  compileChunk,
  createHostTable,
  createLuaState,
  LuaBudgetExceeded,
  LuaError,
  LuaHostLimit,
  LuaTable,
  LuaUnsupported,
  type LuaValue,
  REFUSALS,
  throwValue,
} from './index.ts';

const redis = createHostTable({
  call: (name: LuaValue) => (name === 'FAIL' ? throwValue('failed') : name),
  echo: (...args: LuaValue[]) => args,
});
const state = createLuaState({ globals: { redis } });

function run(script: string, keys: string[] = [], budgetSteps = 1_000_000): LuaValue {
  const chunk = compileChunk(script, '@user_script');
  return state.run(chunk, { keys: LuaTable.from(keys), argv: LuaTable.from([]), budgetSteps });
}

function catchError(script: string): unknown {
  try {
    return run(script);
  } catch (error) {
    return error;
  }
}

describe('a Lua state', () => {
  it('runs a compiled chunk again with other keys', () => {
    const chunk = compileChunk('return KEYS[1] .. #KEYS', '@user_script');
    const argv = LuaTable.from([]);
    expect(state.run(chunk, { keys: LuaTable.from(['a']), argv })).toBe('a1');
    expect(state.run(chunk, { keys: LuaTable.from(['b', 'c']), argv })).toBe('b2');
  });

  it('runs one chunk in two states, each with its own libraries', () => {
    const chunk = compileChunk('return redis.call("x")', '@user_script');
    const other = createLuaState({ globals: { redis: createHostTable({ call: () => 'other' }) } });
    const options = { keys: LuaTable.from([]), argv: LuaTable.from([]) };
    expect(state.run(chunk, options)).toBe('x');
    expect(other.run(chunk, options)).toBe('other');
    expect(state.run(chunk, options)).toBe('x');
  });

  it('gives every local of a run a fresh start', () => {
    const chunk = compileChunk('local t = {} t[#t + 1] = 1 return #t', '@user_script');
    const options = { keys: LuaTable.from([]), argv: LuaTable.from([]) };
    expect([state.run(chunk, options), state.run(chunk, options)]).toEqual([1, 1]);
  });

  it.each([
    'while true do end',
    'repeat until false',
    'for i = 1, math.huge do end',
    'for i = 1, 10, 0 do end',
    'for k in function() return 1 end do end',
    'local function f() return f() end return pcall(f)',
    'while true do pcall(error, "x") end',
    'while true do pcall(function() while true do end end) end',
  ])('ends the endless script %s by its budget', (script) => {
    const error = catchError(script.replace('for i = 1, 10, 0', 'for i = 1, 10, 1e-9'));
    expect(error instanceof LuaBudgetExceeded || error instanceof LuaHostLimit).toBe(true);
  });

  it('tells a global from a library member of a like name', () => {
    expect(
      run('return string.byte("A") .. tostring((pcall(function() return string_byte end)))'),
    ).toBe('65false');
  });

  it('names tables alike in every run', () => {
    const script = 'local t = {} t[{}] = 1 t[{}] = 2 return tostring(next(t)) .. tostring({})';
    expect(run(script)).toBe(run(script));
  });

  it('counts the steps of loops and recursive calls', () => {
    run('for i = 1, 100 do end');
    expect(state.stepsUsed).toBe(100);
  });

  it.each(REFUSALS)('refuses $name when the script is compiled', ({ name }) => {
    expect(() => compileChunk(`if false then return ${name} end`, '@s')).toThrow(LuaUnsupported);
  });

  it('refuses a missing library that is reached through _G when it is read', () => {
    expect(catchError('return _G["cjson"]')).toBeInstanceOf(LuaUnsupported);
    expect(catchError('return pcall(function() return _G.bit end)')).toBeInstanceOf(LuaUnsupported);
    expect(catchError('return pcall(pairs, _G)')).toBeInstanceOf(LuaUnsupported);
  });

  it('leaves a local named like a missing library alone', () => {
    expect(run('local cjson = {encode = tostring} return cjson.encode(5)')).toBe('5');
  });

  it('reports where an uncaught error of a host function was called', () => {
    const error = catchError('local x = 1\nredis.call("FAIL")');
    expect(error).toBeInstanceOf(LuaError);
    expect(error).toMatchObject({ value: 'failed', source: '@user_script', line: 2 });
  });

  it('passes several values to and from a host function', () => {
    expect(run('local a, b, c = redis.echo(1, nil, "x") return a .. tostring(b) .. c')).toBe(
      '1nilx',
    );
    expect(run('return select("#", redis.echo())')).toBe(0);
  });

  it('calls a host function also through a local and through pcall', () => {
    expect(run('local call = redis.call return call("a") .. select(2, pcall(call, "b"))')).toBe(
      'ab',
    );
  });

  it('evaluates arguments before it finds that the callee is no function', () => {
    const script =
      'local log = {} local t = {} pcall(function() t.f(table.insert(log, 1)) end) return #log';
    expect(run(script)).toBe(1);
  });

  it('keeps depth right after errors were caught', () => {
    const script =
      'local function f(n) if n == 0 then error("x") end return 1 + f(n - 1) end for i = 1, 500 do pcall(f, 100) end return "ok"';
    expect(run(script)).toBe('ok');
  });
});
