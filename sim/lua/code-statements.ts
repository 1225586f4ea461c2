// Generates JavaScript for Lua statements and functions, and so for a whole chunk. Lua locals become
// JavaScript locals. Every backward jump and every function that can recurse counts steps; functions
// that can recurse also count depth, because JavaScript's own stack limit is neither Lua's nor fixed.

import { boundPath, describe } from './code-bindings.ts';
import { CodeCalls } from './code-calls.ts';
import { variableName } from './code-context.ts';
import { type CodeOptions, isOpenExpression } from './code-expressions.ts';
import type { ParsedChunk } from './parser.ts';
import type { Site } from './positions.ts';
import type {
  AssignmentTarget,
  Block,
  Expression,
  FunctionExpression,
  Statement,
  Variable,
} from './syntax.ts';

const RETURN = '\u0003';
const RETURN_END = '\u0004';
const TAIL_CALL = '\u0005';
const TAIL_CALL_END = '\u0006';
const TICK = 'if(--S.fuel<0)S.exhaust();';

/** Everything generated code refers to by name; the runtime object R supplies it. */
const HEADER =
  '"use strict";const {S,T,NOTHING,add,all,append,byteAt,byteFirst,callSlow,char1,char2,char3,char4,' +
  'concat,divide,equals,failReadonly,forNumber,index,indexName,length,lessEqual,lessThan,legacyArg,' +
  'missingGlobal,modulo,multiply,negate,power,raise,setIndex,storeList,substring,substringFrom,' +
  'subtract,textLength,toNumber1,toString1,typeName}=R;const {abs,ceil,floor}=Math;';

export interface GeneratedCode {
  /** Body of a function of R that gives the chunk's main function. */
  readonly text: string;
  readonly sites: readonly (Site | undefined)[];
}

/** @throws LuaUnsupported when the chunk names what this implementation lacks */
export function generateCode(chunk: ParsedChunk, options: CodeOptions): GeneratedCode {
  return new CodeStatements(chunk.variables, options).chunk(chunk.main);
}

type StatementOf<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

class CodeStatements extends CodeCalls {
  chunk(main: FunctionExpression): GeneratedCode {
    const parameters = this.options.hasRunGlobals ? 'KEYS,ARGV,' : '';
    return this.context.finish(this.#function(main, parameters), HEADER);
  }

  protected override functionText(expression: FunctionExpression): string {
    return this.#function(expression, '');
  }

  #function(expression: FunctionExpression, hidden: string): string {
    const { scope, parameters, body, hint } = expression;
    this.context.enterFunction(scope);
    const statements = this.#block(body);
    const { temporaries, canRecurse } = this.context.leaveFunction();
    const names = parameters.map(variableName);
    if (scope.isVararg) names.push('...$va');
    const enter = canRecurse
      ? `if(--S.fuel<0||++S.depth>S.depthLimit)${this.context.mark(0)}S.enterFailed();`
      : '';
    const list = Array.from({ length: temporaries }, (_, index) => `$${index + 1}`);
    const declared = list.length === 0 ? '' : `let ${list.join(',')};`;
    const end = body.at(-1)?.kind === 'return' ? '' : `${RETURN}NOTHING${RETURN_END}`;
    const text = `${enter}${declared}${this.#legacyArgument(expression)}${statements}${end}`;
    return `function ${safeName(hint)}(${hidden}${names.join(',')}){${placeReturns(text, canRecurse)}}`;
  }

  /** Lua 5.0's `arg` table, in vararg functions that do not use `...`. */
  #legacyArgument({ scope }: FunctionExpression): string {
    const { argVariable } = scope;
    if (argVariable === undefined) return '';
    const value = scope.usesDots ? '' : '=legacyArg($va)';
    return `let ${variableName(argVariable)}${value};`;
  }

  #block(block: Block): string {
    return block.map((statement) => this.#statement(statement)).join('');
  }

  #statement(statement: Statement): string {
    switch (statement.kind) {
      case 'local':
        return this.#local(statement);
      case 'local-function': {
        const name = variableName(statement.variable);
        if (!statement.variable.isReassigned)
          return `const ${name}=${this.functionText(statement.value)};`;
        return `let ${name};${name}=${this.functionText(statement.value)};`;
      }
      case 'assign':
        return this.#assign(statement);
      case 'call':
        return `${this.callStatement(statement.call)};`;
      case 'do':
        return `{${this.#block(statement.body)}}`;
      case 'while':
        return `while(${this.condition(statement.condition)}){${TICK}${this.#block(statement.body)}}`;
      case 'repeat': {
        const body = this.#block(statement.body);
        const isEnded = endsWithJump(statement.body);
        const test = isEnded ? '' : `if(${this.condition(statement.condition)})break;`;
        return `for(;;){${TICK}${body}${test}}`;
      }
      case 'if':
        return this.#if(statement);
      case 'numeric-for':
        return this.#numericFor(statement);
      case 'generic-for':
        return this.#genericFor(statement);
      case 'return':
        return this.#return(statement.values);
      case 'break':
        return 'break;';
    }
  }

  #return(values: readonly Expression[]): string {
    const [only] = values;
    if (values.length === 1 && (only?.kind === 'call' || only?.kind === 'method')) {
      return `${TAIL_CALL}${this.tailCallRaw(only)}${TAIL_CALL_END}`;
    }
    return `${RETURN}${this.#returned(values)}${RETURN_END}`;
  }

  #returned(values: readonly Expression[]): string {
    const [only] = values;
    if (only === undefined) return 'NOTHING';
    if (values.length > 1) return `[${this.listText(values)}]`;
    return only.kind === 'vararg' ? '$va' : this.value(only).text;
  }

  #if(statement: StatementOf<'if'>): string {
    const branches = statement.branches.map(
      ({ condition, body }) => `if(${this.condition(condition)}){${this.#block(body)}}`,
    );
    const otherwise =
      statement.otherwise === undefined ? '' : `else{${this.#block(statement.otherwise)}}`;
    return branches.join('else ') + otherwise;
  }

  #local(statement: StatementOf<'local'>): string {
    const { variables, values } = statement;
    const last = values.at(-1);
    if (last !== undefined && isOpenExpression(last) && values.length < variables.length) {
      return this.#localFromList(variables, values, last);
    }
    const steps = variables.map((variable, index) => {
      const value = values[index];
      const keyword = variable.isReassigned || value === undefined ? 'let' : 'const';
      const initial = value === undefined ? '' : `=${this.value(value).text}`;
      return `${keyword} ${variableName(variable)}${initial};`;
    });
    const extra = values.slice(variables.length).map((value) => `${this.value(value).text};`);
    return steps.join('') + extra.join('');
  }

  /** The last expression supplies several variables. */
  #localFromList(
    variables: readonly Variable[],
    values: readonly Expression[],
    last: Expression,
  ): string {
    const fixed = values.length - 1;
    const steps = variables.slice(0, fixed).map((variable, index) => {
      const value = values[index];
      return `let ${variableName(variable)}=${value === undefined ? 'undefined' : this.value(value).text};`;
    });
    const rest = variables.slice(fixed).map(variableName);
    return `${steps.join('')}let ${rest.join(',')};${this.#spread(rest, last)}`;
  }

  /** Assigns the values of an open expression to JavaScript variables, without an array for one value. */
  #spread(names: readonly string[], open: Expression): string {
    if (open.kind === 'vararg') {
      return names.map((name, index) => `${name}=$va[${index}];`).join('');
    }
    const raw =
      open.kind === 'call' || open.kind === 'method' ? this.callRaw(open) : this.value(open).text;
    const reserved = this.context.reserved;
    const held = this.context.reserve();
    this.context.release(reserved);
    const several = names.map((name, index) => `${name}=${held}[${index}];`).join('');
    const single = names
      .map((name, index) => `${name}=${index === 0 ? held : 'undefined'};`)
      .join('');
    return `${held}=${raw};if(${held} instanceof Array){${several}}else{${single}}`;
  }

  #assign(statement: StatementOf<'assign'>): string {
    const { targets, values, line } = statement;
    const [target] = targets;
    const [value] = values;
    if (
      targets.length === 1 &&
      values.length === 1 &&
      target !== undefined &&
      value !== undefined
    ) {
      return this.#assignOne(target, value, line);
    }
    return this.#assignSeveral(targets, values, line);
  }

  #assignOne(target: AssignmentTarget, value: Expression, line: number): string {
    if (target.kind === 'local')
      return `${variableName(target.variable)}=${this.value(value).text};`;
    if (target.kind === 'global') {
      const code = this.value(value).text;
      return `${code};${this.context.mark(line)}failReadonly();`;
    }
    const reserved = this.context.reserved;
    const object = this.value(target.object);
    const held = object.isSimple ? object.text : this.context.reserve();
    const key = this.value(target.key);
    const heldKey = key.isSimple ? key.text : this.context.reserve();
    const code = this.value(value);
    const heldValue = code.isSimple ? code.text : this.context.reserve();
    this.context.release(reserved);
    const steps: string[] = [];
    if (!object.isSimple) steps.push(`${held}=${object.text};`);
    if (!key.isSimple) steps.push(`${heldKey}=${key.text};`);
    if (!code.isSimple) steps.push(`${heldValue}=${code.text};`);
    const mark = this.context.mark(line, [describe(target.object)]);
    return `${steps.join('')}${mark}setIndex(${held},${heldKey},${heldValue});`;
  }

  /** Tables and keys first, then all values, then the assignments from right to left. */
  #assignSeveral(
    targets: readonly AssignmentTarget[],
    values: readonly Expression[],
    line: number,
  ): string {
    const reserved = this.context.reserved;
    const steps: string[] = [];
    const hold = (expression: Expression): string => {
      const code = this.value(expression);
      if (code.isSimple && (expression.kind !== 'local' || !expression.variable.isReassigned))
        return code.text;
      const held = this.context.reserve();
      steps.push(`${held}=${code.text};`);
      return held;
    };
    const places = targets.map((target) => {
      if (target.kind !== 'index') return { target, object: '', key: '' };
      return { target, object: hold(target.object), key: hold(target.key) };
    });
    const results = this.#holdValues(values, targets.length, steps);
    this.context.release(reserved);
    const stores = places.map(({ target, object, key }, index) => {
      const result = results[index] ?? 'undefined';
      if (target.kind === 'local') return `${variableName(target.variable)}=${result};`;
      const mark = this.context.mark(
        line,
        target.kind === 'index' ? [describe(target.object)] : [],
      );
      return target.kind === 'index'
        ? `${mark}setIndex(${object},${key},${result});`
        : `${mark}failReadonly();`;
    });
    return steps.join('') + stores.reverse().join('');
  }

  #holdValues(values: readonly Expression[], count: number, steps: string[]): string[] {
    const results: string[] = [];
    for (const [index, value] of values.entries()) {
      const isLast = index === values.length - 1;
      if (isLast && isOpenExpression(value) && index < count - 1) {
        const names = Array.from({ length: count - index }, () => this.context.reserve());
        steps.push(this.#spread(names, value));
        results.push(...names);
      } else {
        const code = this.value(value).text;
        const held = this.context.reserve();
        steps.push(`${held}=${code};`);
        results.push(held);
      }
    }
    return results;
  }

  #numericFor(statement: StatementOf<'numeric-for'>): string {
    const { variable, from, to, step, body, prepareLine } = statement;
    const id = variable.id;
    const bounds: [name: string, what: string, expression: Expression][] = [
      [`$i${id}`, 'initial value', from],
      [`$l${id}`, 'limit', to],
      [`$s${id}`, 'step', step ?? { kind: 'number', value: 1 }],
    ];
    const codes = bounds.map(([, , expression]) => this.value(expression));
    const declared = bounds.map(([name], index) => `let ${name}=${codes[index]?.text};`);
    const checked = bounds.map(([name, what], index) => {
      if (codes[index]?.type === 'number') return '';
      return `if(typeof ${name}!=="number")${name}=${this.context.mark(prepareLine)}forNumber(${name},"${what}");`;
    });
    const [index, limit, increment] = [`$i${id}`, `$l${id}`, `$s${id}`];
    const loop = `${variableName(variable)}`;
    const inner = this.#block(body);
    const isUp = step === undefined ? '' : `${increment}>0?`;
    const test =
      isUp === '' ? `${index}<=${limit}` : `${isUp}${index}<=${limit}:${limit}<=${index}`;
    const start = `${index}=${index}-${increment}+${increment}`;
    return `{${declared.join('')}${checked.join('')}for(${start};${test};${index}+=${increment}){${TICK}let ${loop}=${index};${inner}}}`;
  }

  #genericFor(statement: StatementOf<'generic-for'>): string {
    const { variables, values, body, line } = statement;
    const [only] = values;
    const path = only?.kind === 'call' ? boundPath(only.callee) : undefined;
    const isWalk = path === 'pairs' || path === 'ipairs';
    if (
      values.length === 1 &&
      only?.kind === 'call' &&
      isWalk &&
      only.arguments.length === 1 &&
      variables.length <= 2
    ) {
      const [argument] = only.arguments;
      const isOpen = argument === undefined || isOpenExpression(argument);
      if (!isOpen) return this.#walk(path, argument, only.line, describe(only.callee), statement);
    }
    this.context.current.canRecurse = true;
    const [variable] = variables;
    const id = variable?.id ?? 0;
    const names = [`$f${id}`, `$s${id}`, `$c${id}`];
    const reserved = this.context.reserved;
    const steps: string[] = [];
    const results = this.#holdValues(values, 3, steps);
    this.context.release(reserved);
    const declared = names
      .map((name, index) => `let ${name}=${results[index] ?? 'undefined'};`)
      .join('');
    const inner = this.#block(body);
    const [callee, state, control] = names;
    const mark = this.context.markCall(line, "local '(for generator)'");
    const slow = this.context.mark(line);
    const call = `typeof ${callee}==="function"?${mark}${callee}(${state},${control}):${slow}callSlow(${callee},[${state},${control}])`;
    const locals = variables.map(variableName);
    const several = locals.map((name, index) => `${name}=$r${id}[${index}];`).join('');
    const single = locals
      .map((name, index) => `${name}=${index === 0 ? `$r${id}` : 'undefined'};`)
      .join('');
    const take = `let ${locals.join(',')};if($r${id} instanceof Array){${several}}else{${single}}`;
    const test = `if(${locals[0]}===undefined)break;${control}=${locals[0]};`;
    return `{${steps.join('')}${declared}for(;;){${TICK}const $r${id}=${call};${take}${test}${inner}}}`;
  }

  /** `pairs` and `ipairs` of a table, without calling an iterator. */
  #walk(
    path: string,
    argument: Expression,
    line: number,
    name: string | undefined,
    statement: StatementOf<'generic-for'>,
  ): string {
    const [key, value] = statement.variables;
    const id = key?.id ?? 0;
    const table = `$t${id}`;
    const position = `$p${id}`;
    const code = this.value(argument).text;
    const inner = this.#block(statement.body);
    const mark = this.context.markCall(line, name);
    const check = `if(!(${table} instanceof T))${mark}${this.context.bind(path)}(${table});`;
    const keyName = key === undefined ? '' : variableName(key);
    if (path === 'pairs') {
      const read =
        value === undefined ? '' : `let ${variableName(value)}=${table}.valueAt(${position});`;
      const loop = `for(let ${position}=${table}.advance(0);${position}!==0;${position}=${table}.advance(${position}))`;
      return `{const ${table}=${code};${check}${loop}{${TICK}let ${keyName}=${table}.keyAt(${position});${read}${inner}}}`;
    }
    const valueName = value === undefined ? `$v${id}` : variableName(value);
    const read = `let ${valueName}=${table}.get(${position});if(${valueName}===undefined)break;`;
    return `{const ${table}=${code};${check}for(let ${position}=1;;${position}++){${TICK}${read}let ${keyName}=${position};${inner}}}`;
  }
}

function endsWithJump(block: Block): boolean {
  const last = block.at(-1);
  return last?.kind === 'return' || last?.kind === 'break';
}

/**
 * Returns of a function that counts depth give it back first: after the value is there, or before a
 * tail call, which takes no further depth in Lua.
 */
function placeReturns(text: string, canRecurse: boolean): string {
  return text
    .replaceAll(RETURN, canRecurse ? '{const $r=(' : 'return (')
    .replaceAll(RETURN_END, canRecurse ? ');S.depth--;return $r;}' : ');')
    .replaceAll(TAIL_CALL, canRecurse ? 'S.depth--;return (' : 'return (')
    .replaceAll(TAIL_CALL_END, ');');
}

function safeName(hint: string): string {
  return `lua_${hint.replace(/\W/g, '_')}`;
}
