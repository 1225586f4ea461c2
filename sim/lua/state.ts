// A Lua state as Redis sets one up: globals, libraries, read-only tables. Built once; running a script
// makes nothing but its locals. A host adds its own tables (Redis' `redis`) when it creates the state.

import { type CompiledChunk, compileChunk } from './chunk.ts';
import { LuaUnsupported, throwNativeError, throwRuntimeError } from './errors.ts';
import { createBaseLibrary, toHostFailure, toNumber1, toString1 } from './library-base.ts';
import { createMathLibrary } from './library-math.ts';
import { REFUSED_GLOBALS } from './library-names.ts';
import * as strings from './library-string.ts';
import { STRING_LIBRARY } from './library-string.ts';
import { append, TABLE_LIBRARY } from './library-table.ts';
import * as operations from './operations.ts';
import { NATIVE_PREFIX } from './positions.ts';
import { power } from './power.ts';
import { LuaRandom } from './random.ts';
import { Steps } from './steps.ts';
import { type LuaFunction, LuaTable, type LuaValue } from './table.ts';
import { restartAddresses } from './table-keys.ts';

/** Ten million loop iterations and calls: far beyond an honest script, and over in a fraction of a second. */
const DEFAULT_BUDGET = 10_000_000;
const MAX_LOADED = 200;
const BYTECODE = '\x1b';

export interface LuaStateOptions {
  /** Tables and functions beside the libraries, by global name; made read-only. */
  readonly globals?: Readonly<Record<string, LuaValue>>;
}

export interface RunOptions {
  readonly keys: LuaTable;
  readonly argv: LuaTable;
  /** Loop iterations and calls before LuaBudgetExceeded. */
  readonly budgetSteps?: number;
}

/** Names a host function, so that error positions see it as a level of the Lua stack. */
export function hostFunction(name: string, run: LuaFunction): LuaFunction {
  return Object.defineProperty(run, 'name', { value: NATIVE_PREFIX + name });
}

/** A table of host functions and constants, for `globals`. */
export function createHostTable(members: Readonly<Record<string, LuaValue>>): LuaTable {
  const table = new LuaTable();
  for (const [name, value] of Object.entries(members)) {
    table.set(name, typeof value === 'function' ? hostFunction(name, value) : value);
  }
  return table;
}

export function createLuaState(options: LuaStateOptions = {}): LuaState {
  return new LuaState(options);
}

export class LuaState {
  readonly globals = new LuaTable();
  readonly #steps = new Steps();
  readonly #random = new LuaRandom();
  readonly #runtime: unknown;
  readonly #linked = new WeakMap<CompiledChunk, LuaFunction>();
  /** What loadstring compiled, as a script that calls it does so in every run. */
  readonly #loaded = new Map<string, CompiledChunk>();
  #lastChunk: CompiledChunk | undefined;
  #lastMain: LuaFunction | undefined;

  constructor(options: LuaStateOptions) {
    const base = createBaseLibrary({
      steps: this.#steps,
      globals: this.globals,
      load: (text, chunkName) => this.#load(text, chunkName),
    });
    const strings = createLibrary(STRING_LIBRARY);
    const members: Record<string, LuaValue> = {
      ...base,
      string: strings,
      table: createLibrary(TABLE_LIBRARY),
      math: createLibrary(createMathLibrary(this.#random)),
      _VERSION: 'Lua 5.1',
      _G: this.globals,
      ...options.globals,
    };
    for (const [name, value] of Object.entries(members)) this.globals.set(name, value);
    operations.stringMetatable.set('__index', strings);
    this.#protectGlobals();
    this.#runtime = this.#createRuntime();
  }

  /**
   * Runs a script and gives its first result.
   * @throws LuaError for an error the script did not catch
   * @throws LuaBudgetExceeded, LuaUnsupported, LuaHostLimit when the run means nothing
   */
  run(chunk: CompiledChunk, { keys, argv, budgetSteps = DEFAULT_BUDGET }: RunOptions): LuaValue {
    const main = chunk === this.#lastChunk && this.#lastMain ? this.#lastMain : this.#link(chunk);
    this.#steps.start(budgetSteps, keys, argv);
    restartAddresses();
    try {
      return operations.first(main(keys, argv));
    } catch (error) {
      throw toHostFailure(error);
    }
  }

  /** Steps the current or last run has used. */
  get stepsUsed(): number {
    return this.#steps.used;
  }

  #link(chunk: CompiledChunk): LuaFunction {
    let main = this.#linked.get(chunk);
    if (main === undefined) {
      main = chunk.link(this.#runtime);
      this.#linked.set(chunk, main);
    }
    this.#lastChunk = chunk;
    this.#lastMain = main;
    return main;
  }

  #load(text: string, chunkName: string): LuaFunction {
    if (text.startsWith(BYTECODE)) throw new LuaUnsupported('Bytecode is not simulated.');
    const id = `${chunkName}\0${text}`;
    let chunk = this.#loaded.get(id);
    if (chunk === undefined) {
      chunk = compileChunk(text, chunkName, { hasRunGlobals: false });
      if (this.#loaded.size >= MAX_LOADED) this.#loaded.clear();
      this.#loaded.set(id, chunk);
    }
    return chunk.link(this.#runtime);
  }

  /** Unknown globals fail when read; nothing can be written, as Redis 7.0 has it. */
  #protectGlobals(): void {
    const metatable = new LuaTable();
    const steps = this.#steps;
    metatable.set(
      '__index',
      function lua$missingGlobal(_table: LuaValue, name: LuaValue): LuaValue {
        if (name === 'KEYS' || name === 'ARGV') return steps.runGlobal(name);
        if (typeof name === 'string' && REFUSED_GLOBALS.has(name)) {
          throw new LuaUnsupported(`The script uses '${name}', which is not simulated.`);
        }
        return throwMissingGlobal(name);
      },
    );
    this.globals.metatable = metatable;
    for (const table of [this.globals, metatable, operations.stringMetatable]) protect(table);
  }

  /** What generated code refers to; the names are those of the header in code-statements.ts. */
  #createRuntime(): unknown {
    return {
      ...operations,
      ...strings,
      S: this.#steps,
      T: LuaTable,
      append,
      failReadonly: () => throwRuntimeError('Attempt to modify a readonly table'),
      legacyArg,
      link: (path: string) => this.#find(path),
      missingGlobal: (name: string) => {
        throwRuntimeError(`Script attempted to access nonexistent global variable '${name}'`);
      },
      power,
      storeList,
      toNumber1,
      toString1,
    };
  }

  #find(path: string): LuaValue {
    const [name = '', member] = path.split('.');
    const value = this.globals.get(name);
    if (member === undefined) return value;
    return value instanceof LuaTable ? value.get(member) : undefined;
  }
}

function throwMissingGlobal(name: LuaValue): never {
  const shown = operations.toText(name) ?? operations.typeName(name);
  return throwNativeError(`Script attempted to access nonexistent global variable '${shown}'`);
}

function createLibrary(members: Readonly<Record<string, LuaValue>>): LuaTable {
  const table = new LuaTable();
  for (const [name, value] of Object.entries(members)) table.set(name, value);
  return table;
}

/** Read-only through and through. */
function protect(table: LuaTable): void {
  if (table.isReadonly) return;
  table.isReadonly = true;
  for (let at = table.advance(0); at !== 0; at = table.advance(at)) {
    const value = table.valueAt(at);
    if (value instanceof LuaTable) protect(value);
  }
}

/** The `arg` table of Lua 5.0. */
function legacyArg(values: LuaValue[]): LuaTable {
  const table = new LuaTable(values.length, 1, values.slice());
  table.set('n', values.length);
  return table;
}

/** Stores pending list items of a constructor after the first `stored`, last one first. */
function storeList(table: LuaTable, stored: number, values: readonly LuaValue[]): void {
  table.reserveArray(stored + values.length);
  for (let index = values.length - 1; index >= 0; index--) {
    table.set(stored + index + 1, values[index]);
  }
}
