// The simulated Redis without network, queue or threads: databases, sessions, scripts, and the rules
// by which a request becomes a reply. It has no clock of its own and draws nothing at random.
//
// Version 7.0.15. Types: strings, hashes, sorted sets. Left out for now: lists, sets, streams,
// pub/sub, functions, replication, cluster, eviction; their commands are answered as unknown, and
// counted.

import type { KeyChange } from '../run/history.ts';
import type { Command, CommandContext } from './commands/command.ts';
import { isArityRight } from './commands/command.ts';
import { typeOf } from './commands/keys.ts';
import { findCommand, refuseArity, refuseUnknown } from './commands/table.ts';
import { Databases } from './databases.ts';
import { never } from './keyspace.ts';
import { ErrorReply, queued, type Reply } from './reply.ts';
import { Scripting } from './scripting/scripting.ts';
import { Session } from './session.ts';

export interface StoreOptions {
  /** Microseconds since the Unix epoch by the store's clock. */
  readonly clockUs: () => number;
  /** The Redis whose answers are given; only one for now. */
  readonly version?: '7.0';
}

export interface ScriptExecution {
  readonly keys: readonly string[];
  /**
   * The script ended with an error, or was stopped for its length; or, without keys, the store did
   * not know it (NOSCRIPT).
   */
  readonly failed: boolean;
  /** The error it ended with, or with which it did not compile. */
  readonly error?: string;
  /** The store's clock when the script started, in milliseconds since the Unix epoch. */
  readonly storeMs: number;
  readonly changes: readonly KeyChange[];
}

export interface RawEntry {
  /** The bytes of a string; undefined for other types. */
  readonly value: string | undefined;
  readonly type: 'string' | 'hash' | 'zset';
  readonly expiresAtMs: number | undefined;
}

export class Store {
  /** Told after each script, with what it did to the keys it was given (database 0 and strings). */
  onScript: ((execution: ScriptExecution) => void) | undefined;
  /** Told when a script uses a key that it was not given. */
  onUndeclaredKey: ((key: string, command: string) => void) | undefined;
  /** Told the reply to a script that had been left running, once SCRIPT KILL has ended it. */
  onScriptKilled: ((session: Session, reply: Reply) => void) | undefined;
  /** Commands that were answered as unknown, with how often. */
  readonly unknownCommands = new Map<string, number>();
  /** Accesses of scripts to keys they were not given, by command. */
  readonly undeclaredKeys = new Map<string, number>();
  readonly #databases = new Databases();
  readonly #scripting: Scripting;
  readonly #context: CommandContext;
  readonly #clockUs: () => number;
  #sessionCount = 0;

  constructor(options: StoreOptions) {
    this.#clockUs = options.clockUs;
    this.#scripting = new Scripting({
      onExecution: (execution) => this.onScript?.(execution),
      isObserved: () => this.onScript !== undefined,
      onUndeclaredKey: (key, command) => this.#countUndeclared(key, command),
      onKilled: (session, reply) => this.onScriptKilled?.(session, reply),
    });
    this.#context = {
      session: new Session(0),
      keyspace: this.#databases.database(0),
      protocol: 2,
      isScript: false,
      server: this.#databases,
      scripts: this.#scripting,
      clockUs: options.clockUs,
      clockMs: () => Math.floor(options.clockUs() / 1000),
    };
  }

  createSession(): Session {
    this.#sessionCount += 1;
    const session = new Session(this.#sessionCount);
    this.#databases.openSessions.add(session);
    return session;
  }

  /** The connection is gone: its watches and its transaction with it. */
  closeSession(session: Session): void {
    session.discard();
    this.#databases.openSessions.delete(session);
  }

  /** The session whose script runs over its time, if one does. */
  get busySession(): Session | undefined {
    return this.#scripting.busySession;
  }

  /** Runs one request. The reply to a script that does not end is `noReply`: see onScriptKilled. */
  execute(session: Session, args: readonly string[]): Reply {
    const command = findCommand(args);
    if (command === undefined) return this.#refuse(session, this.#refuseUnknown(args), command);
    if (!isArityRight(command, args.length)) {
      return this.#refuse(session, refuseArity(command), command);
    }
    if (this.#scripting.busySession !== undefined && !command.isAllowedWhenBusy) {
      return this.#refuse(session, busy, command);
    }
    const { transaction } = session;
    if (transaction !== undefined && !command.isNeverQueued) {
      transaction.commands.push({ command, args });
      return queued;
    }
    return this.#run(session, command, args);
  }

  #run(session: Session, command: Command, args: readonly string[]): Reply {
    const context = this.#context;
    context.session = session;
    context.protocol = session.protocol;
    context.keyspace = this.#databases.database(session.database);
    this.#databases.setClock(Math.floor(this.#clockUs() / 1000));
    return command.run(context, args);
  }

  /** A key of database 0 as it is now, without any effect; undefined when it is missing or expired. */
  raw(key: string): RawEntry | undefined {
    const nowMs = Math.floor(this.#clockUs() / 1000);
    const entry = this.#databases.database(0).peek(key, nowMs);
    if (entry === undefined) return undefined;
    const { value, expiresAtMs } = entry;
    return {
      value: typeof value === 'string' ? value : undefined,
      type: typeOf(value),
      expiresAtMs: expiresAtMs === never ? undefined : expiresAtMs,
    };
  }

  /** Live keys of database 0. */
  keys(): Iterable<string> {
    this.#databases.setClock(Math.floor(this.#clockUs() / 1000));
    return this.#databases.database(0).keys();
  }

  /** Forgets all scripts, as a restart or SCRIPT FLUSH does. */
  flushScripts(): void {
    this.#scripting.flush();
  }

  /** Loses all data, as a restart without persistence does. */
  flushData(): void {
    for (const [, keyspace] of this.#databases.databases()) keyspace.clear();
  }

  /** The process ended: sessions and scripts are gone, a script left running included. */
  restart(): void {
    for (const session of [...this.#databases.openSessions]) this.closeSession(session);
    this.#scripting.restart();
  }

  /** A request that is not run spoils an open transaction; a refused EXEC ends it. */
  #refuse(session: Session, error: ErrorReply, command: Command | undefined): ErrorReply {
    if (command?.name === 'exec') {
      session.discard();
      const reason = error.message.replace(/^ERR /, '');
      return new ErrorReply(`EXECABORT Transaction discarded because of: ${reason}`);
    }
    if (session.transaction !== undefined) session.transaction.hasError = true;
    return error;
  }

  #refuseUnknown(args: readonly string[]): ErrorReply {
    const error = refuseUnknown(args);
    const isSubcommand = error.message.startsWith('ERR unknown subcommand');
    const name = args
      .slice(0, isSubcommand ? 2 : 1)
      .join('|')
      .toLowerCase();
    // Clients ask for this newer subcommand, and Redis 7.0 refuses it too.
    if (name !== 'client|setinfo') {
      this.unknownCommands.set(name, (this.unknownCommands.get(name) ?? 0) + 1);
    }
    return error;
  }

  #countUndeclared(key: string, command: string): void {
    this.undeclaredKeys.set(command, (this.undeclaredKeys.get(command) ?? 0) + 1);
    this.onUndeclaredKey?.(key, command);
  }
}

const busy = new ErrorReply(
  'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
);
