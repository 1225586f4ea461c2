import { describe, expect, it } from 'vitest';
import { compileChunk, createLuaState, LuaError, LuaTable } from './index.ts';
import { chunkIdOf } from './positions.ts';

describe('positions', () => {
  it.each([
    ['@user_script', 'user_script'],
    ['=plain', 'plain'],
    ['return 1', '[string "return 1"]'],
    ['first\nsecond', '[string "first..."]'],
    ['x'.repeat(100), `[string "${'x'.repeat(43)}..."]`],
  ])('shows the chunk %j as %s', (name, shown) => {
    expect(chunkIdOf(name)).toBe(shown);
  });

  it('leaves the stack hooks of others as they were', () => {
    const hook = (): string => 'mine';
    const { prepareStackTrace, stackTraceLimit } = Error;
    Error.prepareStackTrace = hook;
    Error.stackTraceLimit = 3;
    try {
      expect(messageOf('local t\n\nreturn t.x')).toBe(
        "user_script:3: attempt to index local 't' (a nil value)",
      );
      expect(Error.prepareStackTrace).toBe(hook);
      expect(Error.stackTraceLimit).toBe(3);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      if (prepareStackTrace === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
      else Error.prepareStackTrace = prepareStackTrace;
    }
  });

  it('finds the line however deep the script is', () => {
    const script =
      'local function f(n)\n if n == 0 then error("deep", 2) end\n local r = f(n - 1)\n return r\nend\nf(200)';
    expect(messageOf(script)).toBe('user_script:3: deep');
  });
});

function messageOf(script: string): unknown {
  try {
    const chunk = compileChunk(script, '@user_script');
    return createLuaState().run(chunk, { keys: new LuaTable(), argv: new LuaTable() });
  } catch (error) {
    return error instanceof LuaError ? error.value : error;
  }
}
