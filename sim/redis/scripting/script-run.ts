// One script being run: the commands it calls and what it may do. `redis.call` comes here for every
// command, so this path allocates nothing but the reply.

import { LuaBudgetExceeded } from '../../lua/index.ts';
import type { CommandContext } from '../commands/command.ts';
import { type Command, isArityRight } from '../commands/command.ts';
import { findCommand } from '../commands/table.ts';
import type { Protocol } from '../protocol/reply-encoder.ts';
import { ErrorReply, type Reply } from '../reply.ts';

export type UndeclaredKeyListener = (key: string, command: string) => void;

export class ScriptRun {
  sha = '';
  keys: readonly string[] = [];
  /** A writing command was called, so the script cannot be killed. */
  hasWritten = false;
  #isReadOnly = false;
  #callsLeft = 0;
  readonly #context: CommandContext;
  readonly #onUndeclaredKey: UndeclaredKeyListener;

  constructor(context: CommandContext, onUndeclaredKey: UndeclaredKeyListener) {
    this.#context = context;
    this.#onUndeclaredKey = onUndeclaredKey;
  }

  /** Turns to another run. */
  begin(sha: string, keys: readonly string[], isReadOnly: boolean): void {
    this.sha = sha;
    this.keys = keys;
    this.#isReadOnly = isReadOnly;
    this.hasWritten = false;
    this.#callsLeft = callsMax;
  }

  /** The protocol of the replies the script sees: 2 until `redis.setresp` changes it. */
  get protocol(): Protocol {
    return this.#context.protocol;
  }

  set protocol(protocol: Protocol) {
    this.#context.protocol = protocol;
  }

  /** Runs one command of the script. */
  call(args: readonly string[]): Reply {
    this.#callsLeft -= 1;
    if (this.#callsLeft < 0) throw new LuaBudgetExceeded('The script called too many commands.');
    const command = findCommand(args);
    if (command === undefined) return unknownCommand;
    if (!isArityRight(command, args.length)) return wrongArity;
    if (command.isBarredFromScripts) return barred;
    if (command.isWrite) {
      if (this.#isReadOnly) return readOnly;
      this.hasWritten = true;
    }
    if (command.keys !== undefined) this.#checkKeys(command, args);
    return command.run(this.#context, args);
  }

  #checkKeys({ keys, name }: Command, args: readonly string[]): void {
    if (keys === undefined) return;
    const key = args[keys.first];
    if (keys.last === keys.first) {
      if (key !== undefined && key !== this.keys[0]) this.#checkKey(key, name);
      return;
    }
    const last = keys.last < 0 ? args.length + keys.last : keys.last;
    for (let index = keys.first; index <= last; index += keys.step) {
      this.#checkKey(args[index] ?? '', name);
    }
  }

  #checkKey(key: string, command: string): void {
    if (!this.keys.includes(key)) this.#onUndeclaredKey(key, command);
  }
}

/** Commands of one script that stand, as its steps do, for the five seconds Redis waits. */
const callsMax = 1_000_000;

const unknownCommand = new ErrorReply('ERR Unknown Redis command called from script');
const wrongArity = new ErrorReply('ERR Wrong number of args calling Redis command from script');
const barred = new ErrorReply('ERR This Redis command is not allowed from script');
const readOnly = new ErrorReply('ERR Write commands are not allowed from read-only scripts.');
