// All commands by name, and how a request's words find one.

import { ErrorReply, toCString } from '../reply.ts';
import type { Command } from './command.ts';
import { connectionCommands } from './connection.ts';
import { counterCommands } from './counters.ts';
import { expiryCommands } from './expiry.ts';
import { hashCommands } from './hashes.ts';
import { keyCommands } from './keys.ts';
import { scanCommands } from './scan.ts';
import { scriptCommands } from './scripts.ts';
import { createServerCommands } from './server-info.ts';
import { sortedSetCommands } from './sorted-sets.ts';
import { sortedSetAddCommands } from './sorted-sets-add.ts';
import { sortedSetRangeCommands } from './sorted-sets-range.ts';
import { stringCommands } from './strings.ts';
import { setCommands } from './strings-set.ts';
import { transactionCommands } from './transactions.ts';

const commands = new Map<string, Command>();
for (const command of [
  ...stringCommands,
  ...setCommands,
  ...counterCommands,
  ...hashCommands,
  ...sortedSetCommands,
  ...sortedSetAddCommands,
  ...sortedSetRangeCommands,
  ...keyCommands,
  ...expiryCommands,
  ...scanCommands,
  ...connectionCommands,
  ...transactionCommands,
  ...scriptCommands,
  ...createServerCommands(() => commands.values()),
]) {
  commands.set(command.name, command);
}

/** Spellings seen so far, so that a name is put in lower case once. */
const spellings = new Map<string, Command>(commands);
/** Names come from clients: the map of spellings must not grow without end. */
const spellingsMax = 2000;

/** The command of these words, its subcommand already found; undefined: there is none. */
export function findCommand(args: readonly string[]): Command | undefined {
  const name = args[0] ?? '';
  const command = spellings.get(name) ?? learnSpelling(name);
  if (command?.subcommands === undefined || args.length === 1) return command;
  return command.subcommands.get((args[1] ?? '').toLowerCase());
}

function learnSpelling(name: string): Command | undefined {
  const command = commands.get(name.toLowerCase());
  if (command !== undefined && spellings.size < spellingsMax) spellings.set(name, command);
  return command;
}

/** What Redis says about words that name no command. */
export function refuseUnknown(args: readonly string[]): ErrorReply {
  const name = args[0] ?? '';
  if (commands.get(name.toLowerCase())?.subcommands !== undefined) {
    const sub = toCString(args[1] ?? '').slice(0, shownBytes);
    return new ErrorReply(`ERR unknown subcommand '${sub}'. Try ${name.toUpperCase()} HELP.`);
  }
  let shown = '';
  for (let index = 1; index < args.length && shown.length < shownBytes; index += 1) {
    shown += `'${toCString(args[index] ?? '').slice(0, shownBytes - shown.length)}' `;
  }
  return new ErrorReply(
    `ERR unknown command '${toCString(name).slice(0, shownBytes)}', with args beginning with: ${shown}`,
  );
}

/** Bytes of a request that an error repeats. */
const shownBytes = 128;

export function refuseArity(command: Command): ErrorReply {
  return new ErrorReply(`ERR wrong number of arguments for '${command.name}' command`);
}
