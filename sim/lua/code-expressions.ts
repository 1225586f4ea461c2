// Generates JavaScript for Lua expressions other than calls: chooses by kind of expression, and puts
// values, conditions and lists together.

import { boundPath, foldNumber, refuseGlobal } from './code-bindings.ts';
import { type Code, complex, numberText, simple, variableName } from './code-context.ts';
import { CodeTables } from './code-tables.ts';
import { BASE_FUNCTIONS, isSingleResult, LIBRARY_FUNCTIONS } from './library-names.ts';
import type {
  CallExpression,
  Expression,
  FunctionExpression,
  MethodCallExpression,
} from './syntax.ts';

const KNOWN_GLOBALS = new Set([
  ...BASE_FUNCTIONS,
  ...Object.keys(LIBRARY_FUNCTIONS),
  '_G',
  '_VERSION',
]);

export abstract class CodeExpressions extends CodeTables {
  /** A call's raw result: one value, or an array of none or several. */
  protected abstract callRaw(expression: CallExpression | MethodCallExpression): string;

  protected abstract callValue(expression: CallExpression | MethodCallExpression): Code;

  protected abstract functionText(expression: FunctionExpression): string;

  /** Exactly one value. */
  protected override value(expression: Expression): Code {
    const folded = foldNumber(expression);
    if (folded !== undefined) {
      const value = folded === 0 ? this.context.zeroConstant(folded) : folded;
      return simple(numberText(value), 'number');
    }
    switch (expression.kind) {
      case 'nil':
        return simple('undefined');
      case 'true':
      case 'false':
        return simple(expression.kind, 'boolean');
      case 'number':
        return simple(numberText(expression.value), 'number');
      case 'string':
        return simple(JSON.stringify(expression.value), 'string');
      case 'vararg':
        return complex('$va[0]');
      case 'local':
        return {
          ...simple(variableName(expression.variable), this.types.of(expression)),
          local: expression,
        };
      case 'global':
        return this.#global(expression.name, expression.line);
      case 'index':
        return this.index(expression);
      case 'call':
      case 'method':
        return this.callValue(expression);
      case 'parenthesis':
        return this.value(expression.inner);
      case 'function':
        return complex(this.functionText(expression));
      case 'table':
        return complex(this.table(expression));
      case 'and':
      case 'or':
        return this.logical(expression.kind, expression.left, expression.right);
      case 'not':
        return complex(`!${this.condition(expression.operand)}`, 'boolean');
      case 'negate':
        return this.negate(expression.operand, expression.line);
      case 'length':
        return this.length(expression.operand, expression.line);
      case 'arithmetic':
        return this.arithmetic(expression);
      case 'comparison':
        return complex(this.comparison(expression), 'boolean');
      case 'concat':
        return this.concat(expression.operands, expression.line);
    }
  }

  /** All values of the last expression of a list: JavaScript for an array. */
  protected override openList(expression: Expression): string | undefined {
    if (expression.kind === 'vararg') return '$va';
    if (expression.kind !== 'call' && expression.kind !== 'method') return undefined;
    const path = expression.kind === 'call' ? boundPath(expression.callee) : undefined;
    if (path !== undefined && isSingleResult(path)) return undefined;
    return `all(${this.callRaw(expression)})`;
  }

  /** The values of a list, the last one open, as the inside of a JavaScript array or argument list. */
  protected override listText(expressions: readonly Expression[]): string {
    return expressions
      .map((expression, index) => {
        const open = index === expressions.length - 1 ? this.openList(expression) : undefined;
        return open === undefined ? this.value(expression).text : `...${open}`;
      })
      .join(',');
  }

  /** A JavaScript boolean: whether the value is neither nil nor false. */
  protected override condition(expression: Expression): string {
    switch (expression.kind) {
      case 'true':
      case 'number':
      case 'string':
        return 'true';
      case 'nil':
      case 'false':
        return 'false';
      case 'not':
        return `!${this.condition(expression.operand)}`;
      case 'and':
        return `(${this.condition(expression.left)}&&${this.condition(expression.right)})`;
      case 'or':
        return `(${this.condition(expression.left)}||${this.condition(expression.right)})`;
      case 'comparison':
        return this.comparison(expression);
      case 'parenthesis':
        return this.condition(expression.inner);
      default:
        return this.#truth(this.value(expression));
    }
  }

  #truth(code: Code): string {
    if (code.type === 'boolean') return code.text;
    if (code.type !== 'unknown') return code.isSimple ? 'true' : `(${code.text},true)`;
    if (code.isSimple) return `(${code.text}!==undefined&&${code.text}!==false)`;
    const reserved = this.context.reserved;
    const held = this.context.reserve();
    this.context.release(reserved);
    return `((${held}=${code.text})!==undefined&&${held}!==false)`;
  }

  #global(name: string, line: number): Code {
    refuseGlobal(name, `${this.options.chunkId}:${line}`);
    if (name === 'KEYS' || name === 'ARGV') {
      return this.options.hasRunGlobals
        ? simple(name)
        : complex(`${this.context.mark(line)}S.runGlobal("${name}")`);
    }
    const bound = this.context.bind(name);
    if (KNOWN_GLOBALS.has(name)) return simple(bound);
    const missing = `${this.context.mark(line)}missingGlobal(${JSON.stringify(name)})`;
    return complex(`(${bound}!==undefined?${bound}:${missing})`);
  }
}
