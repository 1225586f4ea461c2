// Runs scripts: finds them, gives them their keys and arguments, turns what they return or raise into
// a reply, and keeps the one that does not end.
//
// A script that uses up its steps stays in charge of the store: every other command is answered BUSY
// until SCRIPT KILL, or for ever when it has written. What it had done stays done, as in Redis.

import {
  createLuaState,
  formatNumber14,
  LuaBudgetExceeded,
  LuaError,
  type LuaState,
  LuaTable,
  LuaUnsupported,
  type LuaValue,
} from '../../lua/index.ts';
import type { KeyChange } from '../../run/history.ts';
import type { CommandContext, ScriptCall, ScriptRunner } from '../commands/command.ts';
import { at } from '../commands/command.ts';
import { ErrorReply, noReply, notAnInteger, ok, type Reply } from '../reply.ts';
import type { Session } from '../session.ts';
import { parseInteger } from '../values/integers.ts';
import { toReply, toTable } from './conversions.ts';
import { describeChanges, readBefore } from './key-changes.ts';
import { createRedisTable, RunHolder, replacePcall } from './redis-table.ts';
import { compileScript, type Script } from './script-cache.ts';
import { ScriptRun } from './script-run.ts';

export interface ScriptObserver {
  /** Is anyone listening? Otherwise nothing is gathered. */
  readonly isObserved: () => boolean;
  readonly onExecution: (execution: {
    keys: readonly string[];
    failed: boolean;
    error?: string;
    storeMs: number;
    changes: readonly KeyChange[];
  }) => void;
  readonly onUndeclaredKey: (key: string, command: string) => void;
  /** The reply to a script that SCRIPT KILL has ended. */
  readonly onKilled: (session: Session, reply: Reply) => void;
}

/** Loop iterations and calls of a script that stand for the five seconds Redis waits. */
const stepsMax = 5_000_000;

interface EndlessScript {
  readonly session: Session;
  readonly run: ScriptRun;
  readonly line: number;
}

export class Scripting implements ScriptRunner {
  readonly #observer: ScriptObserver;
  readonly #known = new Map<string, Script>();
  #lastKnown: Script | undefined;
  readonly #holder = new RunHolder();
  readonly #runOptions = { keys: new LuaTable(), argv: new LuaTable(), budgetSteps: stepsMax };
  #spareRun: ScriptRun | undefined;
  #state: LuaState | undefined;
  #endless: EndlessScript | undefined;

  constructor(observer: ScriptObserver) {
    this.#observer = observer;
  }

  get busySession(): Session | undefined {
    return this.#endless?.session;
  }

  evaluate(context: CommandContext, args: readonly string[], how: ScriptCall): Reply {
    const wanted = at(args, 1);
    if (how.by === 'sha' && wanted.length !== 40) return noScript;
    const keyCount = parseInteger(at(args, 2));
    if (keyCount === undefined) return notAnInteger;
    if (keyCount > args.length - 3) {
      return new ErrorReply("ERR Number of keys can't be greater than number of args");
    }
    if (keyCount < 0) return new ErrorReply("ERR Number of keys can't be negative");
    const script = how.by === 'sha' ? this.#findKnown(wanted) : this.#learn(wanted);
    if (script === noScript) this.#reportUnknown(context.keyspace.nowMs);
    if (script instanceof ErrorReply) {
      if (script !== noScript)
        this.#reportBroken(context, args.slice(3, 3 + Number(keyCount)), script);
      return script;
    }
    return this.#run(context, script, args, Number(keyCount), how.isReadOnly);
  }

  load(text: string): Reply {
    const script = this.#learn(text);
    return script instanceof ErrorReply ? script : script.sha;
  }

  has(sha: string): boolean {
    return this.#known.has(sha);
  }

  flush(): void {
    this.#known.clear();
    this.#lastKnown = undefined;
  }

  /** The process has ended and with it a script that did not end by itself. */
  restart(): void {
    this.flush();
    this.#endless = undefined;
    this.#state = undefined;
  }

  kill(): Reply {
    const endless = this.#endless;
    if (endless === undefined) {
      return new ErrorReply('NOTBUSY No scripts in execution right now.');
    }
    if (endless.run.hasWritten) return unkillable;
    this.#endless = undefined;
    const { session, run, line } = endless;
    const place = `script: ${run.sha}, on @user_script:${line}.`;
    const message = `ERR Script killed by user with SCRIPT KILL... ${place}`;
    this.#observer.onKilled(session, new ErrorReply(message));
    return ok;
  }

  /** A script that the store does not know ran on no key: its sender has to send the text. */
  #reportUnknown(storeMs: number): void {
    if (!this.#observer.isObserved()) return;
    this.#observer.onExecution({ keys: [], failed: true, storeMs, changes: [] });
  }

  /** A text that does not compile: it fails, and no key is touched. */
  #reportBroken(context: CommandContext, keys: readonly string[], error: ErrorReply): void {
    if (!this.#observer.isObserved()) return;
    const changes = describeChanges(context, keys, readBefore(context, keys));
    const storeMs = context.keyspace.nowMs;
    this.#observer.onExecution({ keys, failed: true, error: error.message, storeMs, changes });
  }

  #findKnown(sha: string): Script | ErrorReply {
    // Comparing with the last one is cheaper than hashing a text just cut out of a request.
    if (this.#lastKnown?.sha === sha) return this.#lastKnown;
    const script = this.#known.get(sha) ?? this.#known.get(sha.toLowerCase());
    if (script === undefined) return noScript;
    this.#lastKnown = script;
    return script;
  }

  #learn(text: string): Script | ErrorReply {
    const script = compileScript(text);
    if (!(script instanceof ErrorReply)) this.#known.set(script.sha, script);
    return script;
  }

  #run(
    context: CommandContext,
    script: Script,
    args: readonly string[],
    keyCount: number,
    isReadOnlyCall: boolean,
  ): Reply {
    const keys = args.slice(3, 3 + keyCount);
    const isObserved = this.#observer.isObserved();
    const storeMs = context.keyspace.nowMs;
    const before = isObserved ? readBefore(context, keys) : undefined;
    const isReadOnly = isReadOnlyCall || script.isReadOnly;
    const run = this.#begin(context, script, keys, isReadOnly);
    const reply = this.#runIn(context, script, run, args.slice(3 + keyCount));
    if (before !== undefined) {
      const failed = reply instanceof ErrorReply || reply === noReply;
      const changes = describeChanges(context, keys, before);
      const error = reply instanceof ErrorReply ? { error: reply.message } : {};
      this.#observer.onExecution({ keys, failed, storeMs, changes, ...error });
    }
    return reply;
  }

  /** One object serves all runs, but for one that is kept because its script did not end. */
  #begin(
    context: CommandContext,
    script: Script,
    keys: readonly string[],
    isReadOnly: boolean,
  ): ScriptRun {
    this.#spareRun ??= new ScriptRun(context, this.#observer.onUndeclaredKey);
    this.#spareRun.begin(script.sha, keys, isReadOnly);
    return this.#spareRun;
  }

  /** Runs the script with the context turned to it, and turns the context back. */
  #runIn(context: CommandContext, script: Script, run: ScriptRun, argv: string[]): Reply {
    const { keyspace, protocol } = context;
    context.isScript = true;
    context.protocol = 2;
    this.#holder.begin(run);
    try {
      const options = this.#runOptions;
      options.keys = toTable(run.keys.slice());
      options.argv = toTable(argv);
      const value = this.#openState().run(script.chunk, options);
      return toReply(value, run.protocol);
    } catch (error) {
      return this.#describeFailure(error, context.session, run);
    } finally {
      this.#holder.run = undefined;
      context.isScript = false;
      context.protocol = protocol;
      context.keyspace = keyspace;
    }
  }

  #openState(): LuaState {
    if (this.#state === undefined) {
      this.#state = createLuaState({ globals: { redis: createRedisTable(this.#holder) } });
      replacePcall(this.#state.globals);
    }
    return this.#state;
  }

  #describeFailure(error: unknown, session: Session, run: ScriptRun): Reply {
    if (error instanceof LuaBudgetExceeded) {
      this.#endless = { session, run, line: 1 };
      this.#spareRun = undefined;
      return noReply;
    }
    if (!(error instanceof LuaError)) throw error;
    const { value, source, line } = error;
    const message = value instanceof LuaTable ? value.get('err') : `ERR ${toText(value)}`;
    if (typeof message !== 'string') {
      throw new LuaUnsupported(
        'The script raised a table without a text in `err`, which crashes Redis 7.0.15.',
      );
    }
    const place = source === undefined ? '' : ` script: ${run.sha}, on ${source}:${line}.`;
    return new ErrorReply(message + place);
  }
}

/** What `tostring` says of a raised value that is no table. */
function toText(value: LuaValue): string {
  if (typeof value === 'number') return formatNumber14(value);
  return value === undefined ? 'nil' : String(value);
}

const noScript = new ErrorReply('NOSCRIPT No matching script. Please use EVAL.');
const unkillable = new ErrorReply(
  'UNKILLABLE Sorry the script already executed write commands against the dataset. You can ' +
    'either wait the script termination or kill the server in a hard way using the SHUTDOWN ' +
    'NOSAVE command.',
);
