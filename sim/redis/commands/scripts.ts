// The commands of scripting. What they do is in scripting/.

import { ErrorReply, ok, type Reply } from '../reply.ts';
import {
  at,
  type Command,
  type CommandContext,
  defineCommand,
  defineContainer,
} from './command.ts';

const barred = { isBarredFromScripts: true };

export const scriptCommands: readonly Command[] = [
  defineCommand(
    'eval',
    -3,
    (context, args) => context.scripts.evaluate(context, args, { by: 'text', isReadOnly: false }),
    barred,
  ),
  defineCommand(
    'evalsha',
    -3,
    (context, args) => context.scripts.evaluate(context, args, bySha),
    barred,
  ),
  defineCommand(
    'eval_ro',
    -3,
    (context, args) => context.scripts.evaluate(context, args, { by: 'text', isReadOnly: true }),
    { ...barred, isReadOnly: true },
  ),
  defineCommand(
    'evalsha_ro',
    -3,
    (context, args) => context.scripts.evaluate(context, args, { by: 'sha', isReadOnly: true }),
    { ...barred, isReadOnly: true },
  ),
  defineContainer('script', [
    defineCommand('load', 3, (context, args) => context.scripts.load(at(args, 2)), barred),
    defineCommand('exists', -3, listKnown, barred),
    defineCommand('flush', -2, flush, barred),
    defineCommand('kill', 2, (context) => context.scripts.kill(), {
      ...barred,
      isAllowedWhenBusy: true,
    }),
  ]),
];

const bySha = { by: 'sha', isReadOnly: false } as const;

function listKnown(context: CommandContext, args: readonly string[]): Reply {
  return args.slice(2).map((sha) => (context.scripts.has(sha.toLowerCase()) ? 1 : 0));
}

function flush(context: CommandContext, args: readonly string[]): Reply {
  const word = args[2]?.toLowerCase();
  if (args.length > 3 || (word !== undefined && word !== 'sync' && word !== 'async')) {
    return new ErrorReply('ERR SCRIPT FLUSH only support SYNC|ASYNC option');
  }
  context.scripts.flush();
  return ok;
}
