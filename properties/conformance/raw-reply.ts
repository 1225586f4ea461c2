// Finds where one reply ends in a stream of RESP bytes, so that replies can be compared byte for byte
// without being understood; and writes requests.

/** The position after the reply that starts at `start`; undefined: it is not all there. */
export function findReplyEnd(bytes: string, start: number): number | undefined {
  const lineEnd = bytes.indexOf('\r\n', start);
  if (lineEnd === -1) return undefined;
  const afterLine = lineEnd + 2;
  const count = Number(bytes.slice(start + 1, lineEnd));
  switch (bytes[start]) {
    case '$':
    case '=': {
      const end = count < 0 ? afterLine : afterLine + count + 2;
      return end <= bytes.length ? end : undefined;
    }
    case '*':
    case '~':
    case '>':
      return skipReplies(bytes, afterLine, count);
    case '%':
      return skipReplies(bytes, afterLine, count * 2);
    default:
      return afterLine;
  }
}

function skipReplies(bytes: string, start: number, count: number): number | undefined {
  let at: number | undefined = start;
  for (let index = 0; index < count && at !== undefined; index += 1) at = findReplyEnd(bytes, at);
  return at;
}

export function encodeRequest(args: readonly string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${arg.length}\r\n${arg}\r\n`).join('')}`;
}
