// Resolves what an expression names before the script runs: a library function bound at link time,
// a folded constant, a variable's type, the name an error message gives it. All of it rests on the
// library tables being read-only and on locals the parser saw assigned only once.

import { LuaUnsupported } from './errors.ts';
import {
  BASE_FUNCTIONS,
  isNumberResult,
  isTextResult,
  LIBRARY_CONSTANTS,
  LIBRARY_FUNCTIONS,
  REFUSED_GLOBALS,
  REFUSED_MEMBERS,
} from './library-names.ts';
import { power } from './power.ts';
import type { ArithmeticOperator, Expression, FunctionExpression, Variable } from './syntax.ts';

export type StaticType = 'number' | 'string' | 'boolean' | 'unknown';

const BASE = new Set(BASE_FUNCTIONS);

/** `string.byte` for that member of an unshadowed library, also through a local alias; else undefined. */
export function boundPath(expression: Expression): string | undefined {
  if (expression.kind === 'global') return BASE.has(expression.name) ? expression.name : undefined;
  if (expression.kind === 'local') {
    const source = soleSource(expression.variable);
    return source === undefined || source.kind === 'local' ? undefined : boundPath(source);
  }
  if (expression.kind !== 'index' || expression.key.kind !== 'string') return undefined;
  const library = libraryName(expression.object);
  if (library === undefined) return undefined;
  const member = expression.key.value;
  if (library === 'redis') return `redis.${member}`;
  return LIBRARY_FUNCTIONS[library]?.includes(member) ||
    LIBRARY_CONSTANTS[library]?.includes(member)
    ? `${library}.${member}`
    : undefined;
}

function libraryName(expression: Expression): string | undefined {
  const object =
    expression.kind === 'local' ? (soleSource(expression.variable) ?? expression) : expression;
  if (object.kind !== 'global') return undefined;
  const { name } = object;
  return name === 'redis' || Object.hasOwn(LIBRARY_FUNCTIONS, name) ? name : undefined;
}

/** The one expression a never reassigned local was given. */
function soleSource(variable: Variable): Expression | undefined {
  return variable.isReassigned || variable.sources.length !== 1 ? undefined : variable.sources[0];
}

/** The function a never reassigned local holds, so that calls of it need no check. */
export function constantFunction(variable: Variable): FunctionExpression | undefined {
  const source = soleSource(variable);
  return source?.kind === 'function' ? source : undefined;
}

/** @throws LuaUnsupported for a name of Redis that this implementation lacks */
export function refuseGlobal(name: string, place: string): void {
  const what = REFUSED_GLOBALS.get(name);
  if (what === undefined) return;
  throw new LuaUnsupported(
    `${place}: the script uses '${name}' (${what}), which is not simulated.`,
  );
}

/** @throws LuaUnsupported for a library member of Redis that this implementation lacks */
export function refuseMember(object: Expression, member: string, place: string): void {
  const library = libraryName(object);
  const what = REFUSED_MEMBERS.get(`${library}.${member}`);
  if (what === undefined) return;
  const path = `${library}.${member}`;
  throw new LuaUnsupported(
    `${place}: the script uses '${path}' (${what}), which is not simulated.`,
  );
}

/** The value of a constant arithmetic expression, as the reference compiler folds it. */
export function foldNumber(expression: Expression): number | undefined {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'parenthesis':
      return foldNumber(expression.inner);
    case 'negate': {
      const operand = foldNumber(expression.operand);
      return operand === undefined ? undefined : -operand;
    }
    case 'arithmetic': {
      const left = foldNumber(expression.left);
      const right = foldNumber(expression.right);
      if (left === undefined || right === undefined) return undefined;
      return calculate(expression.operator, left, right);
    }
    default:
      return undefined;
  }
}

function calculate(operator: ArithmeticOperator, left: number, right: number): number | undefined {
  if (right === 0 && (operator === '/' || operator === '%')) return undefined;
  const result = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '%': left - Math.floor(left / right) * right,
    '^': power(left, right),
  }[operator];
  return Number.isNaN(result) ? undefined : result;
}

/** How an error message names the value of an expression. */
export function describe(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'local':
      return `${expression.isUpvalue ? 'upvalue' : 'local'} '${expression.variable.name}'`;
    case 'global':
      return `global '${expression.name}'`;
    case 'index':
      return `field '${expression.key.kind === 'string' ? expression.key.value : '?'}'`;
    case 'parenthesis':
      return describe(expression.inner);
    case 'and':
      return constantTruth(expression.left) === true ? describe(expression.right) : undefined;
    case 'or':
      return constantTruth(expression.left) === false ? describe(expression.right) : undefined;
    default:
      return undefined;
  }
}

/** Whether the reference compiler knows a condition: it then leaves the test out, and names the rest. */
function constantTruth(expression: Expression): boolean | undefined {
  switch (expression.kind) {
    case 'nil':
    case 'false':
      return false;
    case 'true':
    case 'string':
      return true;
    case 'parenthesis':
      return constantTruth(expression.inner);
    case 'not': {
      const truth = constantTruth(expression.operand);
      return truth === undefined ? undefined : !truth;
    }
    case 'and':
      return constantTruth(expression.left) === true ? constantTruth(expression.right) : undefined;
    case 'or':
      return constantTruth(expression.left) === false ? constantTruth(expression.right) : undefined;
    default:
      return foldNumber(expression) === undefined ? undefined : true;
  }
}

/** Types of locals whose every assignment is of one type. */
export class VariableTypes {
  readonly #types = new Map<Variable, StaticType>();

  /** Assumes the type of all, then withdraws it where an assignment contradicts, until nothing changes. */
  constructor(variables: readonly Variable[]) {
    for (const type of ['number', 'string'] as const) {
      const candidates = new Set(variables.filter((variable) => !this.#types.has(variable)));
      for (const variable of candidates) this.#types.set(variable, type);
      for (let isStable = false; !isStable; ) {
        isStable = true;
        for (const variable of candidates) {
          if (
            variable.sources.every((source) => source !== undefined && this.of(source) === type)
          ) {
            continue;
          }
          candidates.delete(variable);
          this.#types.delete(variable);
          isStable = false;
        }
      }
    }
  }

  of(expression: Expression): StaticType {
    switch (expression.kind) {
      case 'number':
      case 'length':
        return 'number';
      case 'string':
        return 'string';
      case 'true':
      case 'false':
      case 'not':
      case 'comparison':
        return 'boolean';
      case 'local':
        return this.#types.get(expression.variable) ?? 'unknown';
      case 'parenthesis':
        return this.of(expression.inner);
      case 'negate':
        return this.of(expression.operand) === 'number' ? 'number' : 'unknown';
      case 'arithmetic':
        return this.#areAll([expression.left, expression.right], 'number') ? 'number' : 'unknown';
      case 'concat':
        return expression.operands.every((operand) => this.#hasText(operand))
          ? 'string'
          : 'unknown';
      case 'call':
        return this.#ofCall(boundPath(expression.callee));
      case 'index':
        return boundPath(expression) === 'math.huge' || boundPath(expression) === 'math.pi'
          ? 'number'
          : 'unknown';
      default:
        return 'unknown';
    }
  }

  #ofCall(path: string | undefined): StaticType {
    if (path === undefined) return 'unknown';
    if (isNumberResult(path)) return 'number';
    return isTextResult(path) ? 'string' : 'unknown';
  }

  #areAll(expressions: readonly Expression[], type: StaticType): boolean {
    return expressions.every((expression) => this.of(expression) === type);
  }

  #hasText(expression: Expression): boolean {
    const type = this.of(expression);
    return type === 'string' || type === 'number';
  }
}
