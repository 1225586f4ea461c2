// The `redis` table of scripts. Names, texts and the order of definition are those of Redis 7.0
// (the order shows in `pairs`). Functions carry the prefix by which the Lua half knows host functions.
//
// Left out: the debugger (breakpoint and debug do nothing), replication flags (checked, then ignored)
// and users (acl_check_cmd knows all commands that exist here).

import {
  formatNumber14,
  formatNumber17,
  LuaTable,
  type LuaValue,
  throwValue,
} from '../../lua/index.ts';
import { redisVersion } from '../commands/server-info.ts';
import { findCommand } from '../commands/table.ts';
import { ErrorReply, ok } from '../reply.ts';
import { integerText } from '../values/integer-text.ts';
import { tableOf, toErrorTable, toLua } from './conversions.ts';
import { sha1Hex } from './script-cache.ts';
import type { ScriptRun } from './script-run.ts';

/** The script that is running; scripts do not nest. */
export class RunHolder {
  run: ScriptRun | undefined;
  /**
   * The table of an `OK`, made for an earlier run. Nothing of a run outlives it in Redis 7 (globals and
   * libraries are read-only), so its tables may serve the next one; that saves the dearest allocation
   * of a script that writes.
   */
  #spareOk: LuaTable | undefined;
  #isOkTaken = false;

  begin(run: ScriptRun): void {
    this.run = run;
    this.#isOkTaken = false;
  }

  /** A table that no one else in this run has seen. */
  takeOk(): LuaTable {
    const spare = this.#spareOk;
    if (!this.#isOkTaken) {
      this.#isOkTaken = true;
      if (spare !== undefined && isUntouchedOk(spare)) return spare;
      this.#spareOk = tableOf('ok', ok.text);
      return this.#spareOk;
    }
    return tableOf('ok', ok.text);
  }
}

/** Is it as it was made, whatever a script may have done to it? */
function isUntouchedOk(table: LuaTable): boolean {
  const { hash, array, metatable } = table;
  const isSmall = array.length === 0 && hash !== undefined && hash.keys.length === 1;
  return isSmall && metatable === undefined && hash.values[0] === ok.text && hash.keys[0] === 'ok';
}

/** 7.0.15 as Redis packs it: a byte each. */
const redisVersionNumber = 0x07000f;

export function createRedisTable(holder: RunHolder): LuaTable {
  const table = new LuaTable();
  for (const [name, value] of listMembers(holder)) table.set(name, value);
  table.isReadonly = true;
  return table;
}

/**
 * Redis 7 raises tables where it used to raise text, and replaces `pcall` so that scripts still catch
 * text. The wrapper has no prefix: it is no level of the Lua stack.
 */
export function replacePcall(globals: LuaTable): void {
  const pcall = globals.get('pcall');
  if (typeof pcall !== 'function') throw new Error('Expected the Lua state to have pcall.');
  globals.set('pcall', (...args: LuaValue[]) => {
    const result = pcall(...args);
    if (!Array.isArray(result) || result[0] !== false) return result;
    const [, value] = result;
    const message = value instanceof LuaTable ? value.get('err') : undefined;
    const isText = typeof message === 'string' || typeof message === 'number';
    return isText ? [false, message] : result;
  });
}

function listMembers(holder: RunHolder): readonly (readonly [string, LuaValue])[] {
  return [
    ...listCalls(holder),
    ['log', lua$log],
    ['LOG_DEBUG', 0],
    ['LOG_VERBOSE', 1],
    ['LOG_NOTICE', 2],
    ['LOG_WARNING', 3],
    ['REDIS_VERSION_NUM', redisVersionNumber],
    ['REDIS_VERSION', redisVersion],
    ['setresp', createSetProtocol(holder)],
    ['sha1hex', lua$sha1hex],
    ['error_reply', lua$error_reply],
    ['status_reply', lua$status_reply],
    ['set_repl', lua$set_repl],
    ['REPL_NONE', 0],
    ['REPL_AOF', 1],
    ['REPL_SLAVE', 2],
    ['REPL_REPLICA', 2],
    ['REPL_ALL', 3],
    ['acl_check_cmd', lua$acl_check_cmd],
    ['breakpoint', lua$breakpoint],
    ['debug', lua$debug],
    ['replicate_commands', lua$replicate_commands],
  ];
}

function listCalls(holder: RunHolder): readonly (readonly [string, LuaValue])[] {
  function lua$call(...args: LuaValue[]): LuaValue {
    const { run } = holder;
    if (run === undefined || !areArguments(args)) return throwValue(refuseArguments(args));
    const reply = run.call(args);
    if (typeof reply === 'string') return reply;
    if (reply === ok) return holder.takeOk();
    if (reply instanceof ErrorReply) return throwValue(toErrorTable(reply));
    return toLua(reply, run.protocol);
  }
  function lua$pcall(...args: LuaValue[]): LuaValue {
    const { run } = holder;
    if (run === undefined || !areArguments(args)) return refuseArguments(args);
    return toLua(run.call(args), run.protocol);
  }
  return [
    ['call', lua$call],
    ['pcall', lua$pcall],
  ];
}

/** Turns numbers into text in place, as %.17g writes them. False: there is something else, or nothing. */
function areArguments(args: LuaValue[]): args is string[] {
  for (let index = 0; index < args.length; index += 1) {
    const value = args[index];
    if (typeof value === 'string') continue;
    if (typeof value !== 'number') return false;
    const isSmallInteger = Number.isSafeInteger(value) && (value !== 0 || 1 / value > 0);
    args[index] = isSmallInteger ? toIntegerText(value) : formatNumber17(value);
  }
  return args.length > 0;
}

function toIntegerText(value: number): string {
  return value < 0 ? String(value) : integerText(value);
}

function refuseArguments(args: readonly LuaValue[]): LuaTable {
  return errorTable(
    args.length === 0
      ? 'Please specify at least one argument for this redis lib call'
      : 'Lua redis lib command arguments must be strings or integers',
  );
}

/** An error of the library itself: it has the generic code and no mark about statistics. */
function errorTable(message: string): LuaTable {
  return tableOf('err', `ERR ${message}`);
}

function lua$log(...args: LuaValue[]): LuaValue | LuaValue[] {
  if (args.length < 2) {
    return throwValue(errorTable('redis.log() requires two arguments or more.'));
  }
  const level = toNumberArgument(args[0]);
  if (level === undefined) {
    return throwValue(errorTable('First argument must be a number (log level).'));
  }
  const isKnown = Math.trunc(level) >= 0 && Math.trunc(level) <= 3;
  return isKnown ? [] : throwValue(errorTable('Invalid debug level.'));
}

function createSetProtocol(holder: RunHolder): (...args: LuaValue[]) => LuaValue[] {
  return function lua$setresp(...args: LuaValue[]): LuaValue[] {
    if (args.length !== 1) {
      return throwValue(errorTable('redis.setresp() requires one argument.'));
    }
    const version = Math.trunc(toNumberArgument(args[0]) ?? 0);
    if (version !== 2 && version !== 3) {
      return throwValue(errorTable('RESP version must be 2 or 3.'));
    }
    if (holder.run !== undefined) holder.run.protocol = version;
    return [];
  };
}

function lua$sha1hex(...args: LuaValue[]): LuaValue {
  if (args.length !== 1) return throwValue(errorTable('wrong number of arguments'));
  const [value] = args;
  if (typeof value === 'number') return sha1Hex(formatNumber14(value));
  return sha1Hex(typeof value === 'string' ? value : '');
}

function lua$error_reply(...args: LuaValue[]): LuaValue {
  const [text] = args;
  if (args.length !== 1 || typeof text !== 'string') {
    return errorTable('wrong number or type of arguments');
  }
  const message = text.startsWith('-') ? text.slice(1) : text;
  const space = message.indexOf(' ');
  // Without a space the whole is the message and the code the generic one.
  const [code, rest] =
    space === -1 ? ['ERR', message] : [message.slice(0, space), message.slice(space + 1)];
  return tableOf('err', `${code} ${rest.replace(/^[\r\n]+|[\r\n]+$/g, '')}`);
}

function lua$status_reply(...args: LuaValue[]): LuaValue {
  const [text] = args;
  if (args.length !== 1 || typeof text !== 'string') {
    return errorTable('wrong number or type of arguments');
  }
  return tableOf('ok', text);
}

function lua$set_repl(...args: LuaValue[]): LuaValue[] {
  if (args.length !== 1) {
    return throwValue(errorTable('redis.set_repl() requires two arguments.'));
  }
  const flags = Math.trunc(toNumberArgument(args[0]) ?? 0);
  if (flags < 0 || flags > 3) {
    return throwValue(
      errorTable('Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.'),
    );
  }
  return [];
}

function lua$acl_check_cmd(...args: LuaValue[]): LuaValue {
  if (!areArguments(args)) return throwValue(refuseArguments(args));
  if (findCommand(args) !== undefined) return true;
  return throwValue(errorTable('Invalid command passed to redis.acl_check_cmd()'));
}

function lua$breakpoint(): LuaValue {
  return false;
}

function lua$debug(): LuaValue[] {
  return [];
}

function lua$replicate_commands(): LuaValue {
  return true;
}

function toNumberArgument(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}
