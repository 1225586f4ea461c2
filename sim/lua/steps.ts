// The counters of one run: steps left, call depth, and the arguments a script finds in KEYS and ARGV.
// Generated code decrements and increments them inline.

import { LuaBudgetExceeded, throwStackOverflow } from './errors.ts';
import type { LuaTable } from './table.ts';

/** Nested Lua calls at which Redis 7.0.15 says "stack overflow", once its stack has grown. */
const DEPTH_LIMIT = 19_997;

export class Steps {
  /** Loop iterations and calls left. */
  fuel = 0;
  depth = 0;
  readonly depthLimit = DEPTH_LIMIT;
  /** Nested calls through library functions; the reference allows 200 with the script itself. */
  nativeDepth = 0;
  keys: LuaTable | undefined = undefined;
  argv: LuaTable | undefined = undefined;
  #budget = 0;

  start(budget: number, keys: LuaTable | undefined, argv: LuaTable | undefined): void {
    this.#budget = budget;
    this.fuel = budget;
    this.depth = 0;
    this.nativeDepth = 0;
    this.keys = keys;
    this.argv = argv;
  }

  get used(): number {
    return this.#budget - this.fuel;
  }

  /** Called when a step was not left, or a call went too deep. */
  enterFailed(): never {
    if (this.fuel < 0) return this.exhaust();
    this.depth--;
    return throwStackOverflow();
  }

  exhaust(): never {
    throw new LuaBudgetExceeded(`The script ran for more than ${this.#budget} steps.`);
  }

  runGlobal(name: string): LuaTable | undefined {
    return name === 'KEYS' ? this.keys : this.argv;
  }
}
