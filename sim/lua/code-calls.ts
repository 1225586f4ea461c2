// Generates JavaScript for calls: direct calls of library functions and of locals known to hold a
// function, inline versions of the hottest library functions, and the general checked call. Callee
// and arguments are evaluated before the callee is checked, as in Lua.

import { boundPath, constantFunction, describe } from './code-bindings.ts';
import { type Code, complex, variableName } from './code-context.ts';
import { CodeExpressions, isOpenExpression } from './code-expressions.ts';
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

export abstract class CodeCalls extends CodeExpressions {
  protected override callRaw(expression: CallExpression | MethodCallExpression): string {
    return this.#call(expression).text;
  }

  protected override callValue(expression: CallExpression | MethodCallExpression): Code {
    const { text, type, isSingle } = this.#call(expression);
    if (isSingle) return complex(text, type);
    const reserved = this.context.reserved;
    const held = this.context.reserve();
    this.context.release(reserved);
    return complex(`((${held}=${text})instanceof Array?${held}[0]:${held})`);
  }

  #call(expression: CallExpression | MethodCallExpression): {
    text: string;
    type: Code['type'];
    isSingle: boolean;
  } {
    if (expression.kind === 'method') {
      return { text: this.#methodCall(expression), type: 'unknown', isSingle: false };
    }
    const path = boundPath(expression.callee);
    if (path !== undefined && !path.startsWith('redis.')) return this.#boundCall(path, expression);
    if (path === undefined || !isSingleResult(path)) {
      return { text: this.#generalCall(expression), type: 'unknown', isSingle: false };
    }
    return { text: this.#generalCall(expression), type: 'unknown', isSingle: true };
  }

  #boundCall(
    path: string,
    expression: CallExpression,
  ): { text: string; type: Code['type']; isSingle: boolean } {
    const { arguments: args, line } = expression;
    const names = [describe(expression.callee)];
    if (callsBack(path)) this.context.current.canRecurse = true;
    const inline = this.#inline(path, args, line, names);
    if (inline !== undefined) return { text: inline.text, type: inline.type, isSingle: true };
    const mark = this.context.mark(line, names);
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
    names: readonly (string | undefined)[],
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
      return this.#inlineMath(path, args, line, names);
    }
    if (path === 'math.min' || path === 'math.max')
      return this.#inlineExtreme(path, args, line, names);
    const name = INLINE[path]?.[args.length];
    if (name === undefined || name === '') return undefined;
    const mark = this.context.mark(line, names);
    return complex(`${mark}${name}(${this.#arguments(args)})`, resultType(path));
  }

  #inlineMath(
    path: string,
    args: readonly Expression[],
    line: number,
    names: readonly (string | undefined)[],
  ): Code | undefined {
    const [argument] = args;
    if (args.length !== 1 || argument === undefined) return undefined;
    const code = this.value(argument);
    const fast = path.slice('math.'.length);
    if (code.type === 'number') return complex(`${fast}(${code.text})`, 'number');
    const reserved = this.context.reserved;
    const held = code.isSimple ? code.text : this.context.reserve();
    this.context.release(reserved);
    const slow = `${this.context.mark(line, names)}${this.context.bind(path)}(${held})`;
    const choice = `typeof ${held}==="number"?${fast}(${held}):${slow}`;
    return complex(code.isSimple ? `(${choice})` : `(${held}=${code.text},${choice})`, 'number');
  }

  #inlineExtreme(
    path: string,
    args: readonly Expression[],
    line: number,
    names: readonly (string | undefined)[],
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
    const slow = `${this.context.mark(line, names)}${this.context.bind(path)}(${a},${b})`;
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
      const mark = this.context.mark(line, [describe(callee)]);
      return `${mark}${variableName(callee.variable)}(${this.#arguments(args)})`;
    }
    const reserved = this.context.reserved;
    const code = this.value(callee);
    const isDirect = code.isSimple && !(callee.kind === 'local' && callee.variable.isReassigned);
    const held = isDirect ? code.text : this.context.reserve();
    const steps = isDirect ? [] : [`${held}=${code.text}`];
    const text = this.#checkedCall(held, '', args, line, describe(callee), steps);
    this.context.release(reserved);
    return text;
  }

  #methodCall(expression: MethodCallExpression): string {
    this.context.current.canRecurse = true;
    const { object, name, arguments: args, selfLine, line } = expression;
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
    const text = this.#checkedCall(method, self, args, line, `method '${name}'`, steps);
    this.context.release(reserved);
    return text;
  }

  /** Evaluates the arguments into temporaries where needed, then calls, or fails naming the callee. */
  #checkedCall(
    callee: string,
    self: string,
    args: readonly Expression[],
    line: number,
    name: string | undefined,
    steps: string[],
  ): string {
    const values = self === '' ? [] : [self];
    for (const [index, argument] of args.entries()) {
      const isLast = index === args.length - 1;
      const open = isLast ? this.openList(argument) : undefined;
      const code = open === undefined ? this.value(argument) : complex(open);
      const isVolatile = argument.kind === 'local' && argument.variable.isReassigned && !isLast;
      if (code.isSimple && !isVolatile) values.push(code.text);
      else {
        const held = this.context.reserve();
        steps.push(`${held}=${code.text}`);
        values.push(open === undefined ? held : `...${held}`);
      }
    }
    const list = values.join(',');
    const direct = `${this.context.mark(line, [name])}${callee}(${list})`;
    const slow = `${this.context.mark(line, [name])}callSlow(${callee},[${list}])`;
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
