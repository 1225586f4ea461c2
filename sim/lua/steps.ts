// The counters of one run: steps left, call depth, and the arguments a script finds in KEYS and ARGV.
// Generated code decrements and increments them inline.

import { LuaBudgetExceeded, throwStackOverflow } from './errors.ts';
import type { LuaTable } from './table.ts';

/** Nested Lua calls at which Redis 7.0.15 says "stack overflow", once its stack has grown. */
const DEPTH_LIMIT = 19_997;

/** What catching an error costs, in steps: it takes as long as a few hundred loop iterations. */
export const CAUGHT_ERROR_STEPS = 250;

/** The run that is under way; scripts do not overlap. */
let active: Steps | undefined;

/** Counts work that a library function does on its own, so that it too ends by the budget. */
export function chargeSteps(count: number): void {
  if (active !== undefined) active.charge(count);
}

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
    active = this;
  }

  charge(count: number): void {
    this.fuel -= count;
    if (this.fuel < 0) this.exhaust();
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
