// Writes replies as RESP2 or RESP3 bytes (latin1 text), as Redis 7.0 does.

import type { Reply } from '../reply.ts';
import { formatDouble } from '../values/doubles.ts';

export type Protocol = 2 | 3;

/** The bytes of one reply; nothing for a reply that is not sent. */
export function encodeReply(reply: Reply, protocol: Protocol): string {
  switch (typeof reply) {
    case 'string':
      return `$${reply.length}\r\n${reply}\r\n`;
    case 'number':
      return smallIntegers[reply + 1] ?? `:${reply}\r\n`;
    case 'bigint':
      return `:${reply}\r\n`;
    case 'boolean':
      if (protocol === 3) return reply ? '#t\r\n' : '#f\r\n';
      return reply ? ':1\r\n' : ':0\r\n';
    default:
      if (reply === null) return protocol === 3 ? '_\r\n' : '$-1\r\n';
      if (isArray(reply)) return encodeItems('*', reply, reply.length, protocol);
      return encodeTagged(reply, protocol);
  }
}

/** What integers from -1 are written as; most are small. */
const smallIntegers: readonly string[] = Array.from(
  { length: 1026 },
  (_, index) => `:${index - 1}\r\n`,
);

type TaggedReply = Exclude<Reply, string | number | bigint | boolean | null | readonly Reply[]>;

function encodeTagged(reply: TaggedReply, protocol: Protocol): string {
  switch (reply.kind) {
    case 'status':
      return `+${onOneLine(reply.text)}\r\n`;
    case 'error':
      return `-${onOneLine(reply.message)}\r\n`;
    case 'double':
      return encodeDouble(reply.value, protocol);
    case 'map': {
      const { entries } = reply;
      if (protocol === 2) return encodeItems('*', entries, entries.length, protocol);
      return encodeItems('%', entries, entries.length / 2, protocol);
    }
    case 'set':
      return encodeItems(protocol === 3 ? '~' : '*', reply.items, reply.items.length, protocol);
    case 'push':
      return encodeItems(protocol === 3 ? '>' : '*', reply.items, reply.items.length, protocol);
    case 'verbatim':
      if (protocol === 2) return encodeReply(reply.text, protocol);
      return `=${reply.text.length + 4}\r\n${reply.format}:${reply.text}\r\n`;
    case 'big-number':
      return protocol === 3 ? `(${onOneLine(reply.text)}\r\n` : encodeReply(reply.text, protocol);
    case 'null-array':
      return protocol === 3 ? '_\r\n' : '*-1\r\n';
    case 'none':
      return '';
  }
}

function encodeItems(
  sign: string,
  items: readonly Reply[],
  count: number,
  protocol: Protocol,
): string {
  let text = `${sign}${count}\r\n`;
  for (const item of items) text += encodeReply(item, protocol);
  return text;
}

function encodeDouble(value: number, protocol: Protocol): string {
  const text = formatDouble(value);
  return protocol === 3 ? `,${text}\r\n` : encodeReply(text, protocol);
}

/** A simple string ends at a line break, so Redis writes those inside as spaces. */
function onOneLine(text: string): string {
  if (text.indexOf('\r') === -1 && text.indexOf('\n') === -1) return text;
  return text.replace(/[\r\n]/g, ' ');
}

function isArray(reply: object): reply is readonly Reply[] {
  return Array.isArray(reply);
}
