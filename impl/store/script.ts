// The production script: its text as shipped, and the name the store knows it by.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Script {
  readonly text: string;
  /** SHA-1 of the text in hexadecimal, as EVALSHA wants it. */
  readonly sha: string;
}

/** Makes a script of a text. */
export function createScript(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Read once, when the module is loaded: a check never touches a file. */
export const TOKEN_BUCKET_SCRIPT: Script = createScript(
  readFileSync(new URL('../lua/token-bucket.lua', import.meta.url), 'utf8'),
);
