// Lua 5.1 as Redis 7.0.15 runs it, compiled to JavaScript. This is all that other folders may use.

export { type CompiledChunk, compileChunk } from './chunk.ts';
export {
  LuaBudgetExceeded,
  LuaError,
  LuaHostLimit,
  LuaUnsupported,
  throwArgumentError,
  throwNativeError,
  throwRuntimeError,
  throwValue,
  where,
} from './errors.ts';
export { LuaSyntaxError } from './lexer.ts';
export { REFUSALS } from './library-names.ts';
export { formatNumber14, formatNumber17 } from './number-format.ts';
export {
  createHostTable,
  createLuaState,
  hostFunction,
  type LuaState,
  type LuaStateOptions,
  type RunOptions,
} from './state.ts';
export { type LuaFunction, type LuaResult, LuaTable, type LuaValue } from './table.ts';
