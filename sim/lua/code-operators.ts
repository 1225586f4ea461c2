// Generates JavaScript for Lua's operators. Numbers take inline fast paths guarded by typeof; everything
// else goes to the functions of operations.ts, each on a line of its own so that an error finds its Lua
// line. Operands are evaluated in the order of the reference compiler.

import { describe, foldNumber, VariableTypes } from './code-bindings.ts';
import { type Code, CodeContext, complex, isVolatile } from './code-context.ts';
import type { ArithmeticExpression, ComparisonExpression, Expression, Variable } from './syntax.ts';

const SLOW_ARITHMETIC = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '^': 'raise',
} as const;

export interface CodeOptions {
  readonly chunkId: string;
  /** KEYS and ARGV are parameters of the main function; else they are looked up when used. */
  readonly hasRunGlobals: boolean;
}

export abstract class CodeOperators {
  protected readonly context = new CodeContext();
  protected readonly types: VariableTypes;
  protected readonly options: CodeOptions;

  constructor(variables: readonly Variable[], options: CodeOptions) {
    this.types = new VariableTypes(variables);
    this.options = options;
  }

  /** Exactly one value. */
  protected abstract value(expression: Expression): Code;
  /** A JavaScript boolean: whether the value is neither nil nor false. */
  protected abstract condition(expression: Expression): string;

  protected arithmetic(expression: ArithmeticExpression): Code {
    const { operator, left, right, line } = expression;
    // A number on the left becomes a constant of the function only after the right operand's.
    if (foldNumber(left) === 0) this.noteZeros(right);
    return this.withTwo(left, right, (a, b) => {
      const fast = fastArithmetic(operator, a.text, b.text);
      const guards = typeGuards([a, b], 'number');
      if (guards === '') return complex(fast, 'number');
      const mark = this.context.mark(line, [describe(left), describe(right)]);
      return complex(`${guards}?${fast}:${mark}${SLOW_ARITHMETIC[operator]}(${a.text},${b.text})`);
    });
  }

  /** Generates an expression for the constants it brings only. */
  protected noteZeros(expression: Expression): void {
    if (this.context.hasZero) return;
    const count = this.context.sites.length;
    this.value(expression);
    this.context.sites.length = count;
  }

  protected comparison(expression: ComparisonExpression): string {
    const { operator, left, right, line } = expression;
    if (operator === '==' || operator === '~=') return this.equality(expression);
    return this.withTwo(left, right, (a, b) => {
      const fast = `${a.text}${operator}${b.text}`;
      if (a.type === b.type && (a.type === 'number' || a.type === 'string')) {
        return complex(fast, 'boolean');
      }
      const guards = typeGuards([a, b], 'number');
      const isSwapped = operator === '>' || operator === '>=';
      const name = operator === '<' || operator === '>' ? 'lessThan' : 'lessEqual';
      const operands = isSwapped ? `${b.text},${a.text}` : `${a.text},${b.text}`;
      const slow = `${this.context.mark(line)}${name}(${operands})`;
      return complex(`${guards === '' ? 'false' : guards}?${fast}:${slow}`, 'boolean');
    }).text;
  }

  /** Only two tables can be equal without being the same. */
  protected equality(expression: ComparisonExpression): string {
    const { operator, left, right, line } = expression;
    const isNegated = operator === '~=';
    return this.withTwo(left, right, (a, b) => {
      const isPlain = [left, right].some(
        (side) => side.kind === 'nil' || this.types.of(side) !== 'unknown',
      );
      if (isPlain || a.type !== 'unknown' || b.type !== 'unknown') {
        return complex(`${a.text}${isNegated ? '!==' : '==='}${b.text}`, 'boolean');
      }
      const slow = `${this.context.mark(line)}equals(${a.text},${b.text})`;
      return complex(isNegated ? `!${slow}` : slow, 'boolean');
    }).text;
  }

  protected concat(operands: readonly Expression[], line: number): Code {
    const reserved = this.context.reserved;
    const steps: string[] = [];
    const parts = operands.map((operand, index): Code => {
      const code = this.value(operand);
      if (code.isSimple && (index === operands.length - 1 || !isVolatile(code))) return code;
      const held = this.context.reserve();
      steps.push(`${held}=${code.text}`);
      return { ...code, text: held };
    });
    this.context.release(reserved);
    const fast = parts.map((part) => part.text).join('+');
    const guards = typeGuards(parts, 'string');
    const type = this.types.of({ kind: 'concat', operands, line });
    let text = fast;
    if (guards !== '') {
      const mark = this.context.mark(line, operands.map(describe));
      text = `${guards}?${fast}:${mark}concat([${parts.map((part) => part.text).join(',')}])`;
    }
    return complex(`(${[...steps, text].join(',')})`, type);
  }

  protected logical(kind: 'and' | 'or', left: Expression, right: Expression): Code {
    const a = this.value(left);
    if (a.type === 'number' || a.type === 'string') {
      if (kind === 'or') return complex(a.text, a.type);
      return complex(`(${a.text},${this.value(right).text})`);
    }
    if (a.type === 'boolean') {
      const b = this.value(right);
      const type = b.type === 'boolean' ? 'boolean' : 'unknown';
      return complex(`(${a.text}${kind === 'and' ? '&&' : '||'}${b.text})`, type);
    }
    const reserved = this.context.reserved;
    const held = a.isSimple ? a.text : this.context.reserve();
    this.context.release(reserved);
    const b = this.value(right);
    const taken = a.isSimple ? held : `(${held}=${a.text})`;
    const isFalse = `(${taken}===undefined||${held}===false)`;
    return complex(
      kind === 'and' ? `(${isFalse}?${held}:${b.text})` : `(${isFalse}?${b.text}:${held})`,
    );
  }

  protected negate(operand: Expression, line: number): Code {
    const code = this.value(operand);
    if (code.type === 'number') return complex(`(-${code.text})`, 'number');
    return this.withOne(code, (held) => {
      const slow = `${this.context.mark(line, [describe(operand)])}negate(${held})`;
      return complex(`typeof ${held}==="number"?-${held}:${slow}`);
    });
  }

  protected length(operand: Expression, line: number): Code {
    const code = this.value(operand);
    if (code.type === 'string') return complex(`${code.text}.length`, 'number');
    return this.withOne(code, (held) => {
      const slow = `${this.context.mark(line, [describe(operand)])}length(${held})`;
      if (code.type !== 'unknown') return complex(slow, 'number');
      return complex(`typeof ${held}==="string"?${held}.length:${slow}`, 'number');
    });
  }

  protected withOne(code: Code, build: (held: string) => Code): Code {
    if (code.isSimple) {
      const built = build(code.text);
      return complex(`(${built.text})`, built.type);
    }
    const reserved = this.context.reserved;
    const held = this.context.reserve();
    this.context.release(reserved);
    const built = build(held);
    return complex(`(${held}=${code.text},${built.text})`, built.type);
  }

  /**
   * Evaluates two operands into names and builds on those. A local is read when the operation runs,
   * as the reference reads its register; an upvalue is read before the right operand runs.
   */
  protected withTwo(left: Expression, right: Expression, build: (a: Code, b: Code) => Code): Code {
    const reserved = this.context.reserved;
    const a = this.value(left);
    const isLeftDirect = a.isSimple && !(a.local?.isUpvalue === true && isVolatile(a));
    const heldA = isLeftDirect ? a.text : this.context.reserve();
    const b = this.value(right);
    const heldB = b.isSimple ? b.text : this.context.reserve();
    this.context.release(reserved);
    const steps: string[] = [];
    if (!isLeftDirect) steps.push(`${heldA}=${a.text}`);
    if (!b.isSimple) steps.push(`${heldB}=${b.text}`);
    const built = build({ ...a, text: heldA }, { ...b, text: heldB });
    return complex(`(${[...steps, built.text].join(',')})`, built.type);
  }
}

function fastArithmetic(operator: string, a: string, b: string): string {
  if (operator === '%') return `${a}-floor(${a}/${b})*${b}`;
  if (operator === '^') return `power(${a},${b})`;
  return `${a}${operator}${b}`;
}

/** Tests for the operands whose type is not known; '' when none is needed; 'false' when one cannot be. */
function typeGuards(operands: readonly Code[], type: 'number' | 'string'): string {
  const tests = operands
    .filter((operand) => operand.type !== type)
    .map((operand) =>
      operand.type === 'unknown' ? `typeof ${operand.text}==="${type}"` : 'false',
    );
  return tests.join('&&');
}
