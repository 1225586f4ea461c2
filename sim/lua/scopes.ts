// Resolves names while parsing: which local a name means, which locals closures capture, and the
// limits of the reference compiler (200 locals, 60 upvalues), whose messages scripts can meet.

import type { Expression, FunctionScope, Variable } from './syntax.ts';

const MAX_LOCALS = 200;
const MAX_UPVALUES = 60;

interface Frame {
  readonly scope: FunctionScope;
  /** Visible locals, innermost last. */
  readonly visible: Variable[];
  /** For each open block: how many locals were visible before it, and whether it is a loop. */
  readonly blocks: { readonly count: number; readonly isLoop: boolean }[];
}

export class Scopes {
  /** Every local of the chunk. */
  readonly variables: Variable[] = [];
  #nextId = 1;
  readonly #frames: Frame[] = [];
  readonly #fail: (message: string) => never;

  constructor(fail: (message: string) => never) {
    this.#fail = fail;
  }

  openFunction(lineDefined: number): FunctionScope {
    const scope: FunctionScope = {
      parent: this.#frames.at(-1)?.scope,
      lineDefined,
      isVararg: false,
      usesDots: false,
      argVariable: undefined,
      upvalues: new Set(),
      activeLocals: 0,
    };
    this.#frames.push({ scope, visible: [], blocks: [] });
    return scope;
  }

  closeFunction(): void {
    this.#frames.pop();
  }

  openBlock(isLoop: boolean): void {
    const frame = this.#current();
    frame.blocks.push({ count: frame.visible.length, isLoop });
  }

  closeBlock(): void {
    const frame = this.#current();
    const block = frame.blocks.pop();
    if (block !== undefined) frame.visible.length = block.count;
    frame.scope.activeLocals = frame.visible.length;
  }

  get function(): FunctionScope {
    return this.#current().scope;
  }

  isInLoop(): boolean {
    return this.#current().blocks.some((block) => block.isLoop);
  }

  /** Creates a local that is not visible yet; `pending` locals were created before it and are not either. */
  declare(name: string, pending: number): Variable {
    const { scope, visible } = this.#current();
    this.#checkLimit(visible.length + pending + 1, MAX_LOCALS, 'local variables');
    const variable: Variable = {
      name,
      id: this.#nextId++,
      owner: scope,
      isReassigned: false,
      isCaptured: false,
      isReassignedInClosure: false,
      sources: [],
    };
    this.variables.push(variable);
    return variable;
  }

  show(variables: readonly Variable[]): void {
    this.#current().visible.push(...variables);
  }

  /** The local a name means here, or undefined for a global. */
  find(name: string): Expression & { kind: 'local' | 'global' } {
    for (let depth = this.#frames.length - 1; depth >= 0; depth--) {
      const variable = this.#frames[depth]?.visible.findLast((local) => local.name === name);
      if (variable !== undefined) {
        this.#capture(variable, depth);
        const isUpvalue = depth < this.#frames.length - 1;
        return { kind: 'local', variable, isUpvalue };
      }
    }
    return { kind: 'global', name, line: 0 };
  }

  /** Every function between the owner and here holds the variable as an upvalue. */
  #capture(variable: Variable, ownerDepth: number): void {
    for (let depth = ownerDepth + 1; depth < this.#frames.length; depth++) {
      const scope = this.#frames[depth]?.scope;
      if (scope === undefined || scope.upvalues.has(variable)) continue;
      variable.isCaptured = true;
      this.#checkLimit(scope.upvalues.size + 1, MAX_UPVALUES, 'upvalues', scope);
      scope.upvalues.add(variable);
    }
  }

  #checkLimit(value: number, limit: number, what: string, scope = this.function): void {
    if (value <= limit) return;
    const line = scope.lineDefined;
    const who = line === 0 ? 'main function' : `function at line ${line}`;
    this.#fail(`${who} has more than ${limit} ${what}`);
  }

  #current(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Error('Expected an open function while parsing.');
    return frame;
  }
}
