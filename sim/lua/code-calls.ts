// Generates JavaScript for calls: direct calls of library functions and of locals known to hold a
// function, inline versions of the hottest library functions, and the general checked call. Callee
// and arguments are evaluated before the callee is checked, as in Lua.

import { boundPath, constantFunction, describe } from './code-bindings.ts';
import { type Code, complex, isVolatile, variableName } from './code-context.ts';
import { CodeExpressions } from './code-expressions.ts';
import { isOpenExpression } from './code-tables.ts';
import {
  callsBack,
  isNumberResult,
  isSingleResult,
  isTextResult,
  LIBRARY_FUNCTIONS,
} from './library-names.ts';
import type { CallExpression, Expression, MethodCallExpression } from './syntax.ts';

/** Functions with a version that takes exactly these many arguments and gives one value. */
const INLINE: Readonly<Record<string, readonly string[]>> = {
  'string.byte': ['', 'byteFirst', 'byteAt'],
  'string.char': ['', 'char1', 'char2', 'char3', 'char4'],
  'string.sub': ['', '', 'substringFrom', 'substring'],
  'string.len': ['', 'textLength'],
  tonumber: ['', 'toNumber1'],
  tostring: ['', 'toString1'],
  type: ['', 'typeName'],
  'table.insert': ['', '', 'append'],
};

interface GeneratedCall {
  readonly text: string;
  readonly type: Code['type'];
  /** The text gives exactly one value, not an array. */
  readonly isSingle: boolean;
}

export abstract class CodeCalls extends CodeExpressions {
  /** The call being generated as a tail call. */
  #tailCall: Expression | undefined;

  /** The raw result of a call that is returned as it is. */
  protected tailCallRaw(expression: CallExpression | MethodCallExpression): string {
    this.#tailCall = expression;
    return this.#call(expression, true).text;
  }

  protected override callRaw(expression: CallExpression | MethodCallExpression): string {
    return this.#call(expression, true).text;
  }

  /** A call whose results nobody takes. */
  protected callStatement(expression: CallExpression | MethodCallExpression): string {
    return this.#call(expression, false).text;
  }

  protected override callValue(expression: CallExpression | MethodCallExpression): Code {
    const { text, type, isSingle } = this.#call(expression, false);
    if (isSingle) return complex(text, type);
    const reserved = this.context.reserved;
    const held = this.context.reserve();
    this.context.release(reserved);
    return complex(`((${held}=${text})instanceof Array?${held}[0]:${held})`);
  }

  /** `isCounted`: how many values the call gives matters, not only the first. */
  #call(expression: CallExpression | MethodCallExpression, isCounted: boolean): GeneratedCall {
    if (expression.kind === 'method') {
      return { text: this.#methodCall(expression), type: 'unknown', isSingle: false };
    }
    const path = boundPath(expression.callee);
    if (path !== undefined && !path.startsWith('redis.')) {
      return this.#boundCall(path, expression, isCounted);
    }
    const isSingle = path !== undefined && isSingleResult(path);
    return { text: this.#generalCall(expression), type: 'unknown', isSingle };
  }

  #boundCall(path: string, expression: CallExpression, isCounted: boolean): GeneratedCall {
    const { arguments: args, line } = expression;
    const name = describe(expression.callee);
    if (callsBack(path)) this.context.current.canRecurse = true;
    const isInlinable = !isCounted || isSingleResult(path) || path === 'select';
    const inline = isInlinable ? this.#inline(path, args, line, name) : undefined;
    if (inline !== undefined) return { text: inline.text, type: inline.type, isSingle: true };
    const mark = this.context.markCall(line, name);
    const text = `${mark}${this.context.bind(path)}(${this.#arguments(args)})`;
    return { text, type: resultType(path), isSingle: isSingleResult(path) };
  }

  /** The arguments as they stand: JavaScript evaluates them left to right as Lua does. */
  #arguments(args: readonly Expression[]): string {
    return this.listText(args);
  }

  #inline(
    path: string,
    args: readonly Expression[],
    line: number,
    name: string | undefined,
  ): Code | undefined {
    const [firstArgument] = args;
    if (path === 'select' && args.length === 2 && args[1]?.kind === 'vararg') {
      return firstArgument?.kind === 'string' && firstArgument.value === '#'
        ? complex('$va.length', 'number')
        : undefined;
    }
    if (args.some((argument, index) => index === args.length - 1 && isOpen(argument)))
      return undefined;
    if (path === 'math.floor' || path === 'math.ceil' || path === 'math.abs') {
      return this.#inlineMath(path, args, line, name);
    }
    if (path === 'math.min' || path === 'math.max')
      return this.#inlineExtreme(path, args, line, name);
    const helper = INLINE[path]?.[args.length];
    if (helper === undefined || helper === '') return undefined;
    const mark = this.context.markCall(line, name);
    return complex(`${mark}${helper}(${this.#arguments(args)})`, resultType(path));
  }

  #inlineMath(
    path: string,
    args: readonly Expression[],
    line: number,
    name: string | undefined,
  ): Code | undefined {
    const [argument] = args;
    if (args.length !== 1 || argument === undefined) return undefined;
    const code = this.value(argument);
    const fast = path.slice('math.'.length);
    if (code.type === 'number') return complex(`${fast}(${code.text})`, 'number');
    const reserved = this.context.reserved;
    const held = code.isSimple ? code.text : this.context.reserve();
    this.context.release(reserved);
    const slow = `${this.context.markCall(line, name)}${this.context.bind(path)}(${held})`;
    const choice = `typeof ${held}==="number"?${fast}(${held}):${slow}`;
    return complex(code.isSimple ? `(${choice})` : `(${held}=${code.text},${choice})`, 'number');
  }

  #inlineExtreme(
    path: string,
    args: readonly Expression[],
    line: number,
    name: string | undefined,
  ): Code | undefined {
    const [left, right] = args;
    if (args.length !== 2 || left === undefined || right === undefined) return undefined;
    const reserved = this.context.reserved;
    const a = this.context.reserve();
    const leftCode = this.value(left);
    const b = this.context.reserve();
    const rightCode = this.value(right);
    this.context.release(reserved);
    const fast = path === 'math.min' ? `${b}<${a}?${b}:${a}` : `${b}>${a}?${b}:${a}`;
    const slow = `${this.context.markCall(line, name)}${this.context.bind(path)}(${a},${b})`;
    const test = `typeof ${a}==="number"&&typeof ${b}==="number"`;
    return complex(
      `(${a}=${leftCode.text},${b}=${rightCode.text},${test}?${fast}:${slow})`,
      'number',
    );
  }

  #generalCall(expression: CallExpression): string {
    this.context.current.canRecurse = true;
    const { callee, arguments: args, line } = expression;
    if (callee.kind === 'local' && constantFunction(callee.variable) !== undefined) {
      const mark = this.context.markCall(line, describe(callee), this.#tailCall === expression);
      return `${mark}${variableName(callee.variable)}(${this.#arguments(args)})`;
    }
    const reserved = this.context.reserved;
    const code = this.value(callee);
    const isDirect = code.isSimple && !isVolatile(code);
    const held = isDirect ? code.text : this.context.reserve();
    const steps = isDirect ? [] : [`${held}=${code.text}`];
    const text = this.#checkedCall(held, '', expression, describe(callee), steps);
    this.context.release(reserved);
    return text;
  }

  #methodCall(expression: MethodCallExpression): string {
    this.context.current.canRecurse = true;
    const { object, name, selfLine } = expression;
    const reserved = this.context.reserved;
    const code = this.value(object);
    const self = this.context.reserve();
    const method = this.context.reserve();
    const found = `${this.context.mark(selfLine, [describe(object)])}indexName(${self},${JSON.stringify(name)})`;
    const isLibrary = LIBRARY_FUNCTIONS['string']?.includes(name) ?? false;
    const choice = isLibrary
      ? `typeof ${self}==="string"?${this.context.bind(`string.${name}`)}:${found}`
      : found;
    const steps = [`${self}=${code.text}`, `${method}=${choice}`];
    const text = this.#checkedCall(method, self, expression, `method '${name}'`, steps);
    this.context.release(reserved);
    return text;
  }

  /** Evaluates the arguments into temporaries where needed, then calls, or fails naming the callee. */
  #checkedCall(
    callee: string,
    self: string,
    expression: CallExpression | MethodCallExpression,
    name: string | undefined,
    steps: string[],
  ): string {
    const { arguments: args, line } = expression;
    const isTailCall = this.#tailCall === expression;
    const values = self === '' ? [] : [self];
    for (const [index, argument] of args.entries()) {
      const isLast = index === args.length - 1;
      const open = isLast ? this.openList(argument) : undefined;
      const code = open === undefined ? this.value(argument) : complex(open);
      if (code.isSimple && (isLast || !isVolatile(code))) values.push(code.text);
      else {
        const held = this.context.reserve();
        steps.push(`${held}=${code.text}`);
        values.push(open === undefined ? held : `...${held}`);
      }
    }
    const list = values.join(',');
    const direct = `${this.context.markCall(line, name, isTailCall)}${callee}(${list})`;
    const slow = `${this.context.markCall(line, name, isTailCall)}callSlow(${callee},[${list}])`;
    return `(${[...steps, `typeof ${callee}==="function"?${direct}:${slow}`].join(',')})`;
  }
}

function isOpen(expression: Expression): boolean {
  if (expression.kind === 'call') {
    const path = boundPath(expression.callee);
    return path === undefined || !isSingleResult(path);
  }
  return isOpenExpression(expression);
}

function resultType(path: string): Code['type'] {
  if (isNumberResult(path)) return 'number';
  return isTextResult(path) ? 'string' : 'unknown';
}
