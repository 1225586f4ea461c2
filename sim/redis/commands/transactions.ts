// MULTI, EXEC, DISCARD, WATCH, UNWATCH. Queueing itself is the dispatcher's.

import { ErrorReply, noReply, nullArray, ok, type Reply } from '../reply.ts';
import { allKeys, type Command, type CommandContext, defineCommand } from './command.ts';

const inTransaction = { isBarredFromScripts: true, isNeverQueued: true };

export const transactionCommands: readonly Command[] = [
  defineCommand('multi', 1, begin, { ...inTransaction, isAllowedWhenBusy: true }),
  defineCommand('exec', 1, execute, inTransaction),
  defineCommand('discard', 1, discard, { ...inTransaction, isAllowedWhenBusy: true }),
  defineCommand('watch', -2, watch, { ...inTransaction, isAllowedWhenBusy: true, keys: allKeys }),
  defineCommand('unwatch', 1, unwatch, { isBarredFromScripts: true, isAllowedWhenBusy: true }),
];

function begin({ session }: CommandContext): Reply {
  if (session.transaction !== undefined) {
    return new ErrorReply('ERR MULTI calls can not be nested');
  }
  session.transaction = { commands: [], hasError: false };
  return ok;
}

function execute(context: CommandContext): Reply {
  const { session } = context;
  const { transaction } = session;
  if (transaction === undefined) return new ErrorReply('ERR EXEC without MULTI');
  // A watched key that has expired meanwhile is found to be so here, and counts as changed.
  for (const { keyspace, key } of session.watched) keyspace.find(key);
  const { hasConflict } = session;
  session.discard();
  if (transaction.hasError) {
    return new ErrorReply('EXECABORT Transaction discarded because of previous errors.');
  }
  if (hasConflict) return nullArray;
  const replies: Reply[] = [];
  for (const { command, args } of transaction.commands) {
    const reply = command.run(context, args);
    if (reply === noReply) return noReply;
    replies.push(reply);
  }
  return replies;
}

function discard({ session }: CommandContext): Reply {
  if (session.transaction === undefined) return new ErrorReply('ERR DISCARD without MULTI');
  session.discard();
  return ok;
}

function watch(context: CommandContext, args: readonly string[]): Reply {
  const { session, keyspace } = context;
  if (session.transaction !== undefined) {
    return new ErrorReply('ERR WATCH inside MULTI is not allowed');
  }
  for (const key of args.slice(1)) {
    keyspace.find(key);
    keyspace.watch(key, session);
    session.watched.push({ keyspace, key });
  }
  return ok;
}

function unwatch({ session }: CommandContext): Reply {
  session.unwatchAll();
  return ok;
}
