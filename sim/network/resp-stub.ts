// A stand-in for a store in the kernel's and network's own tests and bench: it answers each command
// with what a function of yours says and knows what the handshakes of ioredis 5 and 6 ask.
// It parses commands as clients send them: arrays of bulk strings, split at any byte.

import type { ServerConnection } from './network.ts';

/** Answers one command with RESP bytes; undefined: no answer at all. */
export type AnswerCommand = (args: readonly string[]) => string | undefined;

/** Serves one connection. */
export function serveStub(connection: ServerConnection, answer: AnswerCommand): void {
  let buffer = '';
  connection.onData = (chunk) => {
    buffer = buffer === '' ? chunk : buffer + chunk;
    let at = 0;
    for (;;) {
      const parsed = parseCommand(buffer, at);
      if (parsed === undefined) break;
      at = parsed.end;
      const reply = answerHandshake(parsed.args) ?? answer(parsed.args);
      if (reply !== undefined) connection.write(reply);
      if (parsed.args[0]?.toLowerCase() === 'quit') connection.end();
    }
    buffer = at === buffer.length ? '' : buffer.slice(at);
  };
}

export function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

function answerHandshake(args: readonly string[]): string | undefined {
  const name = args[0]?.toLowerCase();
  if (name === 'hello') return `%2\r\n${bulk('server')}${bulk('redis')}${bulk('proto')}:3\r\n`;
  if (name === 'client') return '+OK\r\n';
  if (name === 'quit') return '+OK\r\n';
  if (name === 'info') return bulk('redis_version:7.0.15\r\nloading:0\r\n');
  return undefined;
}

function parseCommand(
  buffer: string,
  start: number,
): { readonly args: string[]; readonly end: number } | undefined {
  const count = readInteger(buffer, start);
  if (count === undefined) return undefined;
  const args: string[] = [];
  let at = count.end;
  for (let index = 0; index < count.value; index += 1) {
    const length = readInteger(buffer, at);
    if (length === undefined || buffer.length < length.end + length.value + 2) return undefined;
    args.push(buffer.slice(length.end, length.end + length.value));
    at = length.end + length.value + 2;
  }
  return { args, end: at };
}

/** Reads the number of a line like `*3` or `$12`. */
function readInteger(
  buffer: string,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  const end = buffer.indexOf('\r\n', at);
  if (end === -1) return undefined;
  return { value: Number(buffer.slice(at + 1, end)), end: end + 2 };
}
