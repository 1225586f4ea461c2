// Commands about the connection: handshake, name, database, goodbye.
//
// Left out: passwords and users (any is accepted for the default user), CLIENT LIST, KILL, PAUSE,
// REPLY and TRACKING. CLIENT SETINFO is refused as Redis 7.0 does, which does not know it yet.

import {
  ErrorReply,
  MapReply,
  notAnInteger,
  ok,
  type Reply,
  StatusReply,
  toCString,
} from '../reply.ts';
import { parseInteger } from '../values/integers.ts';
import {
  at,
  type Command,
  type CommandContext,
  defineCommand,
  defineContainer,
} from './command.ts';
import { redisVersion } from './server-info.ts';

const anytime = {
  isBarredFromScripts: true,
  isAllowedWhenBusy: true,
};

export const connectionCommands: readonly Command[] = [
  defineCommand('ping', -1, ping),
  defineCommand('echo', 2, (_context, args) => at(args, 1)),
  defineCommand('select', 2, select),
  defineCommand('hello', -1, greet, anytime),
  defineCommand('auth', -2, authenticate, anytime),
  defineCommand('quit', -1, quit, { ...anytime, isNeverQueued: true }),
  defineCommand('reset', 1, reset, { ...anytime, isNeverQueued: true }),
  defineContainer('client', [
    defineCommand('id', 2, (context) => context.session.id, { isBarredFromScripts: true }),
    defineCommand('getname', 2, (context) => context.session.name || null, {
      isBarredFromScripts: true,
    }),
    defineCommand('setname', 3, (context, args) => setName(context, at(args, 2)), {
      isBarredFromScripts: true,
    }),
    defineCommand('no-evict', 3, () => ok, { isBarredFromScripts: true }),
  ]),
];

function ping(_context: CommandContext, args: readonly string[]): Reply {
  if (args.length > 2) return new ErrorReply("ERR wrong number of arguments for 'ping' command");
  return args[1] ?? pong;
}

const pong = new StatusReply('PONG');

function select(context: CommandContext, args: readonly string[]): Reply {
  const index = parseInteger(at(args, 1));
  if (index === undefined) return notAnInteger;
  if (typeof index === 'bigint' || index < -0x8000_0000 || index > 0x7fff_ffff) {
    return new ErrorReply(
      'ERR value is out of range, value must between -2147483648 and 2147483647',
    );
  }
  if (index < 0 || index >= context.server.databaseCount) {
    return new ErrorReply('ERR DB index is out of range');
  }
  // A script's SELECT ends with the script.
  if (!context.isScript) context.session.database = index;
  context.keyspace = context.server.database(index);
  return ok;
}

function greet(context: CommandContext, args: readonly string[]): Reply {
  const { session } = context;
  let protocol = session.protocol;
  if (args.length > 1) {
    const version = parseInteger(at(args, 1));
    if (version === undefined) {
      return new ErrorReply('ERR Protocol version is not an integer or out of range');
    }
    if (version !== 2 && version !== 3) {
      return new ErrorReply('NOPROTO unsupported protocol version');
    }
    protocol = version;
  }
  const failure = greetOptions(context, args);
  if (failure !== undefined) return failure;
  session.protocol = protocol;
  context.protocol = protocol;
  return new MapReply([
    'server',
    'redis',
    'version',
    redisVersion,
    'proto',
    protocol,
    'id',
    session.id,
    'mode',
    'standalone',
    'role',
    'master',
    'modules',
    [],
  ]);
}

function greetOptions(context: CommandContext, args: readonly string[]): ErrorReply | undefined {
  let name: string | undefined;
  for (let index = 2; index < args.length; index += 1) {
    const option = at(args, index).toLowerCase();
    const left = args.length - 1 - index;
    if (option === 'auth' && left >= 2) {
      if (at(args, index + 1) !== 'default') return wrongPassword;
      index += 2;
    } else if (option === 'setname' && left >= 1) {
      name = at(args, index + 1);
      if (!isValidName(name)) return invalidName;
      index += 1;
    } else {
      return new ErrorReply(`ERR Syntax error in HELLO option '${toCString(at(args, index))}'`);
    }
  }
  if (name !== undefined) context.session.name = name;
  return undefined;
}

function authenticate(_context: CommandContext, args: readonly string[]): Reply {
  if (args.length > 3) return new ErrorReply('ERR syntax error');
  if (args.length === 2) {
    return new ErrorReply(
      'ERR AUTH <password> called without any password configured for the default user. ' +
        'Are you sure your configuration is correct?',
    );
  }
  return at(args, 1) === 'default' ? ok : wrongPassword;
}

const wrongPassword = new ErrorReply(
  'WRONGPASS invalid username-password pair or user is disabled.',
);
const invalidName = new ErrorReply(
  'ERR Client names cannot contain spaces, newlines or special characters.',
);

function setName(context: CommandContext, name: string): Reply {
  if (!isValidName(name)) return invalidName;
  context.session.name = name;
  return ok;
}

function isValidName(name: string): boolean {
  return /^[!-~]*$/.test(name);
}

function quit(context: CommandContext): Reply {
  context.session.isClosing = true;
  return ok;
}

function reset(context: CommandContext): Reply {
  const { session } = context;
  session.discard();
  session.protocol = 2;
  session.database = 0;
  session.name = '';
  context.protocol = 2;
  return new StatusReply('RESET');
}
