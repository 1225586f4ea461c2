// Generates JavaScript for Lua expressions other than calls. Numbers take inline fast paths guarded
// by typeof; everything else goes to the functions of operations.ts, each on a line of its own so
// that an error finds its Lua line. Operands are evaluated in the order of the reference compiler.

import {
  boundPath,
  describe,
  foldNumber,
  refuseGlobal,
  refuseMember,
  VariableTypes,
} from './code-bindings.ts';
import {
  type Code,
  CodeContext,
  complex,
  numberText,
  simple,
  variableName,
} from './code-context.ts';
import {
  BASE_FUNCTIONS,
  isSingleResult,
  LIBRARY_CONSTANTS,
  LIBRARY_FUNCTIONS,
} from './library-names.ts';
import type {
  ArithmeticExpression,
  CallExpression,
  ComparisonExpression,
  Expression,
  FunctionExpression,
  IndexExpression,
  MethodCallExpression,
  TableExpression,
  Variable,
} from './syntax.ts';

/** List items stored at once by a constructor. */
const ITEMS_PER_FLUSH = 50;
const KNOWN_GLOBALS = new Set([
  ...BASE_FUNCTIONS,
  ...Object.keys(LIBRARY_FUNCTIONS),
  '_G',
  '_VERSION',
]);
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

export abstract class CodeExpressions {
  protected readonly context = new CodeContext();
  protected readonly types: VariableTypes;
  protected readonly options: CodeOptions;

  constructor(variables: readonly Variable[], options: CodeOptions) {
    this.types = new VariableTypes(variables);
    this.options = options;
  }

  /** A call's raw result: one value, or an array of none or several. */
  protected abstract callRaw(expression: CallExpression | MethodCallExpression): string;
  protected abstract callValue(expression: CallExpression | MethodCallExpression): Code;
  protected abstract functionText(expression: FunctionExpression): string;

  /** Exactly one value. */
  protected value(expression: Expression): Code {
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
        return simple(variableName(expression.variable), this.types.of(expression));
      case 'global':
        return this.#global(expression.name, expression.line);
      case 'index':
        return this.#index(expression);
      case 'call':
      case 'method':
        return this.callValue(expression);
      case 'parenthesis':
        return this.value(expression.inner);
      case 'function':
        return complex(this.functionText(expression));
      case 'table':
        return complex(this.#table(expression));
      case 'and':
      case 'or':
        return this.#logical(expression.kind, expression.left, expression.right);
      case 'not':
        return complex(`!${this.condition(expression.operand)}`, 'boolean');
      case 'negate':
        return this.#negate(expression.operand, expression.line);
      case 'length':
        return this.#length(expression.operand, expression.line);
      case 'arithmetic':
        return this.#arithmetic(expression);
      case 'comparison':
        return complex(this.#comparison(expression), 'boolean');
      case 'concat':
        return this.#concat(expression.operands, expression.line);
    }
  }

  /** All values of the last expression of a list: JavaScript for an array. */
  protected openList(expression: Expression): string | undefined {
    if (expression.kind === 'vararg') return '$va';
    if (expression.kind !== 'call' && expression.kind !== 'method') return undefined;
    const path = expression.kind === 'call' ? boundPath(expression.callee) : undefined;
    if (path !== undefined && isSingleResult(path)) return undefined;
    return `all(${this.callRaw(expression)})`;
  }

  /** The values of a list, the last one open, as the inside of a JavaScript array or argument list. */
  protected listText(expressions: readonly Expression[]): string {
    return expressions
      .map((expression, index) => {
        const open = index === expressions.length - 1 ? this.openList(expression) : undefined;
        return open === undefined ? this.value(expression).text : `...${open}`;
      })
      .join(',');
  }

  /** A JavaScript boolean: whether the value is neither nil nor false. */
  protected condition(expression: Expression): string {
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
        return this.#comparison(expression);
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

  #index(expression: IndexExpression): Code {
    const { object, key, line } = expression;
    if (key.kind === 'string') {
      refuseMember(object, key.value, `${this.options.chunkId}:${line}`);
      const path = boundPath(expression);
      if (path !== undefined) return this.#member(path);
    }
    const base = this.value(object);
    if (key.kind === 'string') {
      const name = JSON.stringify(key.value);
      return complex(
        `${this.context.mark(line, [describe(object)])}indexName(${base.text},${name})`,
      );
    }
    const position = foldNumber(key);
    if (
      position !== undefined &&
      Number.isInteger(position) &&
      position > 0 &&
      position < 2 ** 30
    ) {
      return complex(this.#indexConstant(base, position, expression));
    }
    const reserved = this.context.reserved;
    const held = base.isSimple ? base.text : this.context.reserve();
    const keyCode = this.value(key);
    this.context.release(reserved);
    const before = base.isSimple ? base.text : `${held}=${base.text}`;
    const mark = this.context.mark(line, [describe(object)]);
    if (base.isSimple) return complex(`${mark}index(${base.text},${keyCode.text})`);
    return complex(`(${before},${mark}index(${held},${keyCode.text}))`);
  }

  /** A constant position of the array part, read without a call when it is there. */
  #indexConstant(base: Code, position: number, expression: IndexExpression): string {
    const reserved = this.context.reserved;
    const held = base.isSimple ? base.text : this.context.reserve();
    const found = this.context.reserve();
    this.context.release(reserved);
    const mark = this.context.mark(expression.line, [describe(expression.object)]);
    const test = `${held} instanceof T&&(${found}=${held}.array[${position - 1}])!==undefined`;
    const text = `(${test}?${found}:${mark}index(${held},${position}))`;
    return base.isSimple ? text : `(${held}=${base.text},${text})`;
  }

  #member(path: string): Code {
    const [library = '', member = ''] = path.split('.');
    const isNumber = LIBRARY_CONSTANTS[library]?.includes(member) ?? false;
    return simple(this.context.bind(path), isNumber ? 'number' : 'unknown');
  }

  #logical(kind: 'and' | 'or', left: Expression, right: Expression): Code {
    const a = this.value(left);
    if (a.type === 'number' || a.type === 'string') {
      if (kind === 'or') return a;
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

  #negate(operand: Expression, line: number): Code {
    const code = this.value(operand);
    if (code.type === 'number') return complex(`(-${code.text})`, 'number');
    return this.#withOne(code, (held) => {
      const slow = `${this.context.mark(line, [describe(operand)])}negate(${held})`;
      return complex(`typeof ${held}==="number"?-${held}:${slow}`);
    });
  }

  #length(operand: Expression, line: number): Code {
    const code = this.value(operand);
    if (code.type === 'string') return complex(`${code.text}.length`, 'number');
    return this.#withOne(code, (held) => {
      const slow = `${this.context.mark(line, [describe(operand)])}length(${held})`;
      if (code.type !== 'unknown') return complex(slow, 'number');
      return complex(`typeof ${held}==="string"?${held}.length:${slow}`, 'number');
    });
  }

  #withOne(code: Code, build: (held: string) => Code): Code {
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
  #withTwo(left: Expression, right: Expression, build: (a: Code, b: Code) => Code): Code {
    const reserved = this.context.reserved;
    const a = this.value(left);
    const isLeftDirect = a.isSimple && !(left.kind === 'local' && left.isUpvalue);
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

  #arithmetic(expression: ArithmeticExpression): Code {
    const { operator, left, right, line } = expression;
    // A number on the left becomes a constant of the function only after the right operand's.
    if (foldNumber(left) === 0) this.#noteZeros(right);
    return this.#withTwo(left, right, (a, b) => {
      const fast = fastArithmetic(operator, a.text, b.text);
      const guards = typeGuards([a, b], 'number');
      if (guards === '') return complex(fast, 'number');
      const mark = this.context.mark(line, [describe(left), describe(right)]);
      return complex(`${guards}?${fast}:${mark}${SLOW_ARITHMETIC[operator]}(${a.text},${b.text})`);
    });
  }

  /** Generates an expression for the constants it brings only. */
  #noteZeros(expression: Expression): void {
    if (this.context.hasZero) return;
    const count = this.context.sites.length;
    this.value(expression);
    this.context.sites.length = count;
  }

  #comparison(expression: ComparisonExpression): string {
    const { operator, left, right, line } = expression;
    if (operator === '==' || operator === '~=') return this.#equality(expression);
    return this.#withTwo(left, right, (a, b) => {
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
  #equality(expression: ComparisonExpression): string {
    const { operator, left, right, line } = expression;
    const isNegated = operator === '~=';
    return this.#withTwo(left, right, (a, b) => {
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

  #concat(operands: readonly Expression[], line: number): Code {
    const reserved = this.context.reserved;
    const steps: string[] = [];
    const parts = operands.map((operand, index): Code => {
      const code = this.value(operand);
      const isStable = code.isSimple && (operand.kind !== 'local' || index === operands.length - 1);
      if (isStable || (code.isSimple && !this.#isVolatile(operand))) return code;
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

  #isVolatile(operand: Expression): boolean {
    return operand.kind === 'local' && operand.variable.isReassigned;
  }

  #table(expression: TableExpression): string {
    const { fields, line } = expression;
    const items = fields.filter((field) => field.kind === 'item');
    const pairs = fields.length - items.length;
    if (fields.length === 0) return 'new T()';
    const last = items.at(-1)?.value;
    const lastField = fields.at(-1);
    const isOpen = lastField?.kind === 'item' && last !== undefined && isOpenExpression(last);
    if (pairs === 0 && items.length <= ITEMS_PER_FLUSH) {
      const values = items.map((item) => item.value);
      return `new T(${isOpen ? 0 : sizeHint(items.length)},0,[${this.listText(values)}])`;
    }
    return this.#mixedTable(
      expression,
      sizeHint(items.length - (isOpen ? 1 : 0)),
      sizeHint(pairs),
      line,
    );
  }

  #mixedTable(
    expression: TableExpression,
    arraySize: number,
    hashSize: number,
    line: number,
  ): string {
    const reserved = this.context.reserved;
    const table = this.context.reserve();
    const list = this.context.reserve();
    const steps = [`${table}=new T(${arraySize},${hashSize})`, `${list}=[]`];
    let stored = 0;
    let pending = 0;
    for (const [index, field] of expression.fields.entries()) {
      if (pending === ITEMS_PER_FLUSH) {
        steps.push(`storeList(${table},${stored},${list})`, `${list}=[]`);
        stored += pending;
        pending = 0;
      }
      if (field.kind === 'pair') {
        const key = this.value(field.key);
        const heldKey = key.isSimple ? key.text : this.context.reserve();
        if (!key.isSimple) steps.push(`${heldKey}=${key.text}`);
        const value = this.value(field.value);
        steps.push(`${this.context.mark(field.line)}setIndex(${table},${heldKey},${value.text})`);
        continue;
      }
      const isLast = index === expression.fields.length - 1;
      const open = isLast ? this.openList(field.value) : undefined;
      steps.push(
        open === undefined
          ? `${list}.push(${this.value(field.value).text})`
          : `${list}=[...${list},...${open}]`,
      );
      pending++;
    }
    this.context.release(reserved);
    const flush =
      pending === 0 ? '' : `${this.context.mark(line)}storeList(${table},${stored},${list}),`;
    return `(${steps.join(',')},${flush}${table})`;
  }
}

export function isOpenExpression(expression: Expression): boolean {
  return expression.kind === 'call' || expression.kind === 'method' || expression.kind === 'vararg';
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

/** The size a constructor asks for is kept in a byte: three bits of mantissa above 15. */
function sizeHint(count: number): number {
  let size = count;
  let shift = 0;
  while (size >= 16) {
    size = (size + 1) >> 1;
    shift++;
  }
  return size * 2 ** shift;
}
