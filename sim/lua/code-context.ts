// Bookkeeping of the code generator: temporaries, the places errors are reported at, and the values
// bound once when a chunk is linked to a state.

import type { Site } from './positions.ts';
import type { FunctionScope, LocalExpression, Variable } from './syntax.ts';

/** A piece of JavaScript that computes one Lua value. */
export interface Code {
  readonly text: string;
  readonly type: 'number' | 'string' | 'boolean' | 'unknown';
  /** Neither fails nor has an effect, and is cheap to repeat: a literal or a local. */
  readonly isSimple: boolean;
  /** The local whose name the text is: what it holds may change before the text is used. */
  readonly local?: LocalExpression;
}

/** Whether evaluating other code can change what a simple text stands for. */
export function isVolatile(code: Code): boolean {
  return code.local?.variable.isReassigned ?? false;
}

/** Frames a JavaScript line that starts with a fallible operation; replaced when the text is complete. */
const MARK = '\u0001';
const MARK_END = '\u0002';

interface FunctionContext {
  readonly scope: FunctionScope;
  temporaries: number;
  inUse: number;
  /** Calls something that can call back, so that it takes part in recursion. */
  canRecurse: boolean;
  /** The reference compiler keeps one constant for 0 and -0: the first it meets in a function. */
  zero: number | undefined;
}

export class CodeContext {
  readonly sites: Site[] = [];
  readonly #bindings = new Map<string, string>();
  readonly #functions: FunctionContext[] = [];

  /** A new JavaScript line for an operation that may fail. */
  mark(line: number, names: Site['names'] = [], kind: Site['kind'] = 'operation'): string {
    this.sites.push({ line, names, kind });
    return `${MARK}${this.sites.length - 1}${MARK_END}`;
  }

  /** A new JavaScript line for a call, with the name of the callee. */
  markCall(line: number, name: string | undefined, isTailCall = false): string {
    return this.mark(line, [name], isTailCall ? 'tail-call' : 'call');
  }

  /** The constant that holds a global or library member, read when the chunk is linked. */
  bind(path: string): string {
    let name = this.#bindings.get(path);
    if (name === undefined) {
      name = `$g_${path.replace('.', '$')}`;
      this.#bindings.set(path, name);
    }
    return name;
  }

  enterFunction(scope: FunctionScope): void {
    this.#functions.push({ scope, temporaries: 0, inUse: 0, canRecurse: false, zero: undefined });
  }

  leaveFunction(): FunctionContext {
    const context = this.#functions.pop();
    if (context === undefined) throw new Error('Expected an open function while generating code.');
    return context;
  }

  get current(): FunctionContext {
    const context = this.#functions.at(-1);
    if (context === undefined) throw new Error('Expected an open function while generating code.');
    return context;
  }

  get isInMain(): boolean {
    return this.#functions.length === 1;
  }

  /** Reserves a temporary until `release`. */
  reserve(): string {
    const { current } = this;
    current.inUse++;
    current.temporaries = Math.max(current.temporaries, current.inUse);
    return `$${current.inUse}`;
  }

  get reserved(): number {
    return this.current.inUse;
  }

  /** Frees all temporaries reserved since `reserved` was read. */
  release(reserved: number): void {
    this.current.inUse = reserved;
  }

  get hasZero(): boolean {
    return this.current.zero !== undefined;
  }

  /** Zero as the constant table of the function has it. */
  zeroConstant(value: number): number {
    this.current.zero ??= value;
    return this.current.zero;
  }

  /** The whole JavaScript text and, by its line counted from 1, the sites. */
  finish(main: string, header: string): { text: string; sites: (Site | undefined)[] } {
    const links = [...this.#bindings].map(
      ([path, name]) => `const ${name}=R.link(${JSON.stringify(path)});`,
    );
    const [start = '', ...marked] = `${header}${links.join('')}return ${main}`.split(MARK);
    const sites: (Site | undefined)[] = [undefined, undefined];
    const lines = marked.map((part) => {
      const end = part.indexOf(MARK_END);
      sites.push(this.sites[Number(part.slice(0, end))]);
      return part.slice(end + 1);
    });
    return { text: [start, ...lines].join('\n'), sites };
  }
}

export function variableName(variable: Variable): string {
  return `${variable.name}_${variable.id}`;
}

export function numberText(value: number): string {
  if (value === 0) return 1 / value < 0 ? '(-0)' : '0';
  return value < 0 ? `(${value})` : String(value);
}

export function simple(text: string, type: Code['type'] = 'unknown'): Code {
  return { text, type, isSimple: true };
}

export function complex(text: string, type: Code['type'] = 'unknown'): Code {
  return { text, type, isSimple: false };
}
