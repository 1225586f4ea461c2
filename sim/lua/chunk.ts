// Compiles the text of a script to JavaScript, once; linking the result to a state gives the function
// that runs. The generated text is evaluated with `new Function`, which is the whole point: V8 then
// optimises it like any other code.

import { generateCode } from './code-statements.ts';
import { parseChunk } from './parser.ts';
import { chunkIdOf, nextScriptName, registerPositions } from './positions.ts';
import type { LuaFunction } from './table.ts';

/** A compiled script, independent of any state. */
export interface CompiledChunk {
  readonly chunkName: string;
  /** The generated JavaScript, for the curious and for tests. */
  readonly javascript: string;
  /** Gives the main function: KEYS and ARGV first when the chunk was compiled with them. */
  readonly link: (runtime: unknown) => LuaFunction;
}

export interface CompileOptions {
  /** Whether KEYS and ARGV are parameters of the main function (a script) or looked up (loadstring). */
  readonly hasRunGlobals: boolean;
}

/**
 * @param source the script, latin1
 * @param chunkName as Lua names chunks: `@user_script` shows as `user_script` in messages
 * @throws LuaSyntaxError with the reference compiler's message
 * @throws LuaUnsupported when the script names something of Redis that is not simulated
 */
export function compileChunk(
  source: string,
  chunkName: string,
  options: CompileOptions = { hasRunGlobals: true },
): CompiledChunk {
  const chunkId = chunkIdOf(chunkName);
  const { text, sites } = generateCode(parseChunk(source, chunkId), { ...options, chunkId });
  const scriptName = nextScriptName();
  registerPositions(scriptName, { chunkName, chunkId, sites: [undefined, undefined, ...sites] });
  const javascript = `${text}\n//# sourceURL=${scriptName}`;
  return { chunkName, javascript, link: evaluate(javascript) };
}

function evaluate(javascript: string): CompiledChunk['link'] {
  // The generator guarantees the type: a function of the runtime that gives a Lua function.
  return new Function('R', javascript) as CompiledChunk['link'];
}
