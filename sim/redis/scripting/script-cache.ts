// Compiled scripts. Compiling depends on the text alone, so all stores of a process share the work; a
// store has its own list of the scripts it knows.

import { createHash } from 'node:crypto';
import { type CompiledChunk, compileChunk, LuaSyntaxError } from '../../lua/index.ts';
import { ErrorReply } from '../reply.ts';

export interface Script {
  /** Lower-case hexadecimal SHA-1 of the text. */
  readonly sha: string;
  readonly chunk: CompiledChunk;
  /** Set by `#!lua flags=no-writes`. */
  readonly isReadOnly: boolean;
}

/** Texts kept compiled; a run uses a handful, so what is beyond is a client that builds texts. */
const compiledMax = 500;
const compiled = new Map<string, Script | ErrorReply>();

/** The SHA-1 of latin1 text, in lower-case hexadecimal. */
export function sha1Hex(text: string): string {
  return createHash('sha1').update(text, 'latin1').digest('hex');
}

/** The script of a text, or what Redis says about a text that does not compile. */
export function compileScript(text: string): Script | ErrorReply {
  let script = compiled.get(text);
  if (script === undefined) {
    script = compile(text);
    if (compiled.size >= compiledMax) compiled.clear();
    compiled.set(text, script);
  }
  return script;
}

function compile(text: string): Script | ErrorReply {
  const header = readShebang(text);
  if (header instanceof ErrorReply) return header;
  try {
    const chunk = compileChunk(header.body, '@user_script');
    return { sha: sha1Hex(text), chunk, isReadOnly: header.isReadOnly };
  } catch (error) {
    if (!(error instanceof LuaSyntaxError)) throw error;
    return new ErrorReply(`ERR Error compiling script (new function): ${error.message}`);
  }
}

interface Shebang {
  /** The text without its first line's words; the line break stays, so lines keep their numbers. */
  readonly body: string;
  readonly isReadOnly: boolean;
}

const flagNames = new Set([
  'no-writes',
  'allow-oom',
  'allow-stale',
  'no-cluster',
  'allow-cross-slot-keys',
]);

function readShebang(text: string): Shebang | ErrorReply {
  if (!text.startsWith('#!')) return { body: text, isReadOnly: false };
  const end = text.indexOf('\n');
  if (end === -1) return new ErrorReply('ERR Invalid script shebang');
  const words = text
    .slice(0, end)
    .split(' ')
    .filter((word) => word !== '');
  const [engine = ''] = words;
  if (engine !== '#!lua') {
    return new ErrorReply(`ERR Unexpected engine in script shebang: ${engine}`);
  }
  let isReadOnly = false;
  for (const word of words.slice(1)) {
    if (!word.startsWith('flags=')) {
      return new ErrorReply(`ERR Unknown lua shebang option: ${word}`);
    }
    const flags = word.slice('flags='.length);
    for (const flag of flags === '' ? [] : flags.split(',')) {
      if (!flagNames.has(flag)) {
        return new ErrorReply(`ERR Unexpected flag in script shebang: ${flag}`);
      }
      if (flag === 'no-writes') isReadOnly = true;
    }
  }
  return { body: text.slice(end), isReadOnly };
}
