// A probe is a short conversation with a server. Probes are written as lines, one request a line, as
// one would type them into redis-cli; each runs on an empty server.
//
//   SET k "a b"        a request on the first connection
//   @b GET k           on another one
//   !wait 20           time passes, in milliseconds
//   !raw "*1\r\n…"     these very bytes

import { splitInline } from '../../sim/redis/protocol/inline-arguments.ts';
import type { Arm } from './arms.ts';
import { encodeRequest } from './raw-reply.ts';

export interface Probe {
  readonly name: string;
  readonly lines: readonly string[];
}

/** What was answered to each line that asked something. */
export type Replies = readonly string[];

export interface RecordedProbe extends Probe {
  readonly replies: Replies;
}

/** Probes of one group; each is a text of lines, and its name is the group and its number. */
export function defineProbes(group: string, texts: readonly string[]): readonly Probe[] {
  return texts.map((text, index) => ({
    name: `${group} ${index + 1}`,
    lines: text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  }));
}

export async function runProbe(arm: Arm, probe: Probe): Promise<Replies> {
  const replies: string[] = [];
  for (const line of probe.lines) {
    const words = splitInline(line.replaceAll('⏎', '\n'));
    if (words === undefined) throw new Error(`Expected closed quotes in ${probe.name}: ${line}`);
    const connection = line.startsWith('@') ? (words.shift() ?? '') : 'main';
    const [first = '', second = ''] = words;
    if (first === '!wait') await arm.wait(Number(second));
    else if (first === '!raw') replies.push(hideIds(await arm.send(connection, second)));
    else replies.push(hideIds(await arm.send(connection, encodeRequest(words))));
  }
  return replies;
}

/** Connections are numbered over a server's life, so their numbers tell nothing. */
function hideIds(reply: string): string {
  return reply.replace(/(\$2\r\nid\r\n):\d+/, '$1:0');
}
