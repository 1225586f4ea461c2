// What the server says about itself: TIME, INFO, CONFIG GET, COMMAND. INFO and CONFIG hold what
// clients read in their handshakes and little more.

import { never } from '../keyspace.ts';
import { MapReply, type Reply, StatusReply, VerbatimReply } from '../reply.ts';
import { matchesGlob } from '../values/glob.ts';
import { integerText } from '../values/integer-text.ts';
import { type Command, type CommandContext, defineCommand, defineContainer } from './command.ts';

export const redisVersion = '7.0.15';

/** `listCommands` is given, since the table of all commands includes these. */
export function createServerCommands(listCommands: () => Iterable<Command>): readonly Command[] {
  return [
    defineCommand('time', 1, readTime),
    defineCommand('info', -1, describe),
    defineContainer('config', [
      defineCommand('get', -3, readConfig, { isBarredFromScripts: true }),
      defineCommand('resetstat', 2, () => new StatusReply('OK'), { isBarredFromScripts: true }),
    ]),
    defineContainer(
      'command',
      [
        defineCommand('count', 2, () => [...listCommands()].length),
        defineCommand('info', -2, (_context, args) => {
          const commands = new Map([...listCommands()].map((command) => [command.name, command]));
          if (args.length === 2) return [...commands.values()].map(describeCommand);
          return args.slice(2).map((name) => {
            const command = commands.get(name.toLowerCase());
            return command === undefined ? null : describeCommand(command);
          });
        }),
        defineCommand('docs', -2, () => new MapReply([])),
      ],
      defineCommand('command', -1, () => [...listCommands()].map(describeCommand)),
    ),
  ];
}

function readTime(context: CommandContext): Reply {
  const us = context.clockUs();
  const seconds = Math.floor(us / 1_000_000);
  if (seconds !== lastSeconds) {
    lastSeconds = seconds;
    lastSecondsText = String(seconds);
  }
  return [lastSecondsText, integerText(us - seconds * 1_000_000)];
}

/** Many commands ask within one second, whose text is made once. */
let lastSeconds = 0;
let lastSecondsText = '0';

function describe(context: CommandContext, args: readonly string[]): Reply {
  const wanted = new Set(args.slice(1).map((word) => word.toLowerCase()));
  const isAll = wanted.size === 0 || ['all', 'default', 'everything'].some((s) => wanted.has(s));
  const sections = [...infoSections(context)].filter(
    ([name]) => isAll || wanted.has(name.toLowerCase()),
  );
  const text = sections.map(([name, lines]) => `# ${name}\r\n${lines.join('\r\n')}\r\n`);
  return new VerbatimReply('txt', text.join('\r\n'));
}

function* infoSections(context: CommandContext): Generator<readonly [string, readonly string[]]> {
  yield ['Server', [`redis_version:${redisVersion}`, 'redis_mode:standalone', 'tcp_port:6379']];
  yield ['Clients', [`connected_clients:${[...context.server.sessions()].length}`]];
  yield ['Memory', ['maxmemory:0', 'maxmemory_policy:noeviction']];
  yield ['Persistence', ['loading:0', 'async_loading:0']];
  yield ['Replication', ['role:master', 'connected_slaves:0', 'master_repl_offset:0']];
  yield ['Cluster', ['cluster_enabled:0']];
  yield ['Keyspace', [...describeDatabases(context)]];
}

function* describeDatabases(context: CommandContext): Generator<string> {
  for (const [index, keyspace] of context.server.databases()) {
    const keys = [...keyspace.keys()];
    const expiring = keys.filter((key) => keyspace.find(key)?.expiresAtMs !== never);
    if (keys.length > 0)
      yield `db${index}:keys=${keys.length},expires=${expiring.length},avg_ttl=0`;
  }
}

function readConfig(_context: CommandContext, args: readonly string[]): Reply {
  const patterns = args.slice(2).map((pattern) => pattern.toLowerCase());
  const wanted = [...settings].filter(([name]) => patterns.some((p) => matchesGlob(p, name)));
  return new MapReply(wanted.flat());
}

const settings = new Map([
  ['appendonly', 'no'],
  ['busy-reply-threshold', '5000'],
  ['databases', '16'],
  ['maxclients', '10000'],
  ['maxmemory', '0'],
  ['maxmemory-policy', 'noeviction'],
  ['notify-keyspace-events', ''],
  ['proto-max-bulk-len', '536870912'],
  ['requirepass', ''],
  ['save', ''],
  ['timeout', '0'],
]);

function describeCommand(command: Command): Reply {
  const { keys, isWrite, isReadOnly, isBarredFromScripts } = command;
  const flags: Reply[] = [];
  if (isWrite) flags.push(new StatusReply('write'));
  if (isReadOnly) flags.push(new StatusReply('readonly'));
  if (isBarredFromScripts) flags.push(new StatusReply('noscript'));
  const positions = [keys?.first ?? 0, keys?.last ?? 0, keys?.step ?? 0];
  return [command.name, command.arity, flags, ...positions, [], [], [], []];
}
