// Reads the command's name off the start of what a client writes, to know scripts from the rest.
// A request is an array of bulk strings (RESP): `*5\r\n$7\r\nEVALSHA\r\n…`.

/** The name of the script command this chunk starts with, in lower case; undefined for others. */
export function scriptCommandOf(chunk: string): string | undefined {
  if (chunk.charCodeAt(0) !== asterisk) return undefined;
  const lengthAt = chunk.indexOf('\n') + 2;
  const nameAt = chunk.indexOf('\n', lengthAt) + 1;
  // What the limiter sends nearly always.
  if (chunk.startsWith('evalsha\r', nameAt)) return 'evalsha';
  // All script commands begin with EVAL or FCALL.
  const first = chunk.charCodeAt(nameAt) | lowerCaseBit;
  if (first !== letterE && first !== letterF) return undefined;
  const name = chunk.slice(nameAt, chunk.indexOf('\r', nameAt)).toLowerCase();
  return scriptCommands.has(name) ? name : undefined;
}

const asterisk = 0x2a;
const lowerCaseBit = 0x20;
const letterE = 0x65;
const letterF = 0x66;
const scriptCommands = new Set(['eval', 'evalsha', 'eval_ro', 'evalsha_ro', 'fcall', 'fcall_ro']);
