// Keeps a subject from ending the process or thread it runs in: everything would stop without a word.
// During a run the call is an escape; outside of one it throws.

import { reportEscape } from '../../sim/kernel/escape.ts';
import { defineValue } from '../../sim/kernel/replace.ts';

/** Replaces `process.exit` until the returned function is called. */
export function refuseExit(): () => void {
  const { exit } = process;
  defineValue(process, 'exit', (code?: unknown): never => {
    reportEscape('process.exit');
    throw new Error(`A limiter must not end its process: process.exit(${String(code ?? '')}).`);
  });
  return () => defineValue(process, 'exit', exit);
}
