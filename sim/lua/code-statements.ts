// Generates JavaScript for Lua statements and functions, and so for a whole chunk. Lua locals become
// JavaScript locals. Every backward jump and every function that can recurse counts steps; functions
// that can recurse also count depth, because JavaScript's own stack limit is neither Lua's nor fixed.

import { describe } from './code-bindings.ts';
import { isVolatile, variableName } from './code-context.ts';
import { CodeLoops, type StatementOf, TICK } from './code-loops.ts';
import type { CodeOptions } from './code-operators.ts';
import { isOpenExpression } from './code-tables.ts';
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

class CodeStatements extends CodeLoops {
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
    const statements = this.block(body);
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

  protected override block(block: Block): string {
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
        return `{${this.block(statement.body)}}`;
      case 'while':
        return `while(${this.condition(statement.condition)}){${TICK}${this.block(statement.body)}}`;
      case 'repeat': {
        const body = this.block(statement.body);
        const isEnded = endsWithJump(statement.body);
        const test = isEnded ? '' : `if(${this.condition(statement.condition)})break;`;
        return `for(;;){${TICK}${body}${test}}`;
      }
      case 'if':
        return this.#if(statement);
      case 'numeric-for':
        return this.numericFor(statement);
      case 'generic-for':
        return this.genericFor(statement);
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
      ({ condition, body }) => `if(${this.condition(condition)}){${this.block(body)}}`,
    );
    const otherwise =
      statement.otherwise === undefined ? '' : `else{${this.block(statement.otherwise)}}`;
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
    return `${steps.join('')}let ${rest.join(',')};${this.spread(rest, last)}`;
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
    // An upvalue is read before the value is computed, a local when the assignment runs.
    const isDirect = object.isSimple && !(object.local?.isUpvalue && isVolatile(object));
    const held = isDirect ? object.text : this.context.reserve();
    const key = this.value(target.key);
    const heldKey = key.isSimple ? key.text : this.context.reserve();
    const code = this.value(value);
    const heldValue = code.isSimple ? code.text : this.context.reserve();
    this.context.release(reserved);
    const steps: string[] = [];
    if (!isDirect) steps.push(`${held}=${object.text};`);
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
      if (code.isSimple && !isVolatile(code)) return code.text;
      const held = this.context.reserve();
      steps.push(`${held}=${code.text};`);
      return held;
    };
    const places = targets.map((target) => {
      if (target.kind !== 'index') return { target, object: '', key: '' };
      return { target, object: hold(target.object), key: hold(target.key) };
    });
    const results = this.holdValues(values, targets.length, steps);
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
