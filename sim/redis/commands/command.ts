// What a command is: its name, arity and flags as Redis states them, where its keys are, and the
// function that runs it.

import type { Keyspace } from '../keyspace.ts';
import type { Protocol } from '../protocol/reply-encoder.ts';
import type { Reply } from '../reply.ts';
import type { Session } from '../session.ts';

/** Everything a command may see or change. One object a store, set anew for each command. */
export interface CommandContext {
  session: Session;
  keyspace: Keyspace;
  /** The protocol replies are made for; in a script it is the script's, not the session's. */
  protocol: Protocol;
  isScript: boolean;
  readonly server: ServerState;
  readonly scripts: ScriptRunner;
  /** The store's clock now, microseconds since the Unix epoch; not frozen during a script. */
  clockUs(): number;
  /** The same in whole milliseconds. */
  clockMs(): number;
}

/** What belongs to the server and not to one database. */
export interface ServerState {
  readonly databaseCount: number;
  database(index: number): Keyspace;
  databases(): Iterable<readonly [number, Keyspace]>;
  sessions(): Iterable<Session>;
}

/** The scripting half of the store, as the commands see it. */
export interface ScriptRunner {
  evaluate(context: CommandContext, args: readonly string[], how: ScriptCall): Reply;
  load(text: string): Reply;
  has(sha: string): boolean;
  flush(): void;
  kill(): Reply;
}

export interface ScriptCall {
  readonly by: 'text' | 'sha';
  readonly isReadOnly: boolean;
}

export type RunCommand = (context: CommandContext, args: readonly string[]) => Reply;

export interface Command {
  /** In lower case; of a subcommand `client|id`. */
  readonly name: string;
  /** Exact number of arguments with the name; negative: at least that many. */
  readonly arity: number;
  readonly isWrite: boolean;
  readonly isReadOnly: boolean;
  /** Refused inside scripts. */
  readonly isBarredFromScripts: boolean;
  /** Answered while a script is over its time. */
  readonly isAllowedWhenBusy: boolean;
  /** Runs at once inside MULTI. */
  readonly isNeverQueued: boolean;
  readonly keys: KeyPositions | undefined;
  readonly subcommands: ReadonlyMap<string, Command> | undefined;
  readonly run: RunCommand;
}

/** Indexes of key arguments; a negative last one counts from the end. */
export interface KeyPositions {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

type Options = Partial<Omit<Command, 'name' | 'arity' | 'run' | 'subcommands'>>;

/** A command that reads the one key in its first argument. */
export function reading(name: string, arity: number, run: RunCommand, options?: Options): Command {
  return defineCommand(name, arity, run, { isReadOnly: true, keys: firstKey, ...options });
}

/** A command that writes the one key in its first argument. */
export function writing(name: string, arity: number, run: RunCommand, options?: Options): Command {
  return defineCommand(name, arity, run, { isWrite: true, keys: firstKey, ...options });
}

/** A command without keys. */
export function defineCommand(
  name: string,
  arity: number,
  run: RunCommand,
  options: Options = {},
): Command {
  return {
    name,
    arity,
    isWrite: options.isWrite ?? false,
    isReadOnly: options.isReadOnly ?? false,
    isBarredFromScripts: options.isBarredFromScripts ?? false,
    isAllowedWhenBusy: options.isAllowedWhenBusy ?? false,
    isNeverQueued: options.isNeverQueued ?? false,
    keys: options.keys,
    subcommands: undefined,
    run,
  };
}

/** A command whose second word names what it does; `base` runs without one. */
export function defineContainer(
  name: string,
  subcommands: readonly Command[],
  base?: Command,
): Command {
  const named = subcommands.map(
    (each) => [each.name, { ...each, name: `${name}|${each.name}` }] as const,
  );
  const unreachable = (): Reply => {
    throw new Error(`Expected ${name} to be resolved to a subcommand.`);
  };
  return { ...(base ?? defineCommand(name, -2, unreachable)), subcommands: new Map(named) };
}

export const firstKey: KeyPositions = { first: 1, last: 1, step: 1 };
export const allKeys: KeyPositions = { first: 1, last: -1, step: 1 };

/** An argument the arity guarantees. */
export function at(args: readonly string[], index: number): string {
  return args[index] ?? '';
}

export function isArityRight(command: Command, count: number): boolean {
  return command.arity > 0 ? count === command.arity : count >= -command.arity;
}
