// Generates JavaScript for `for` loops, and for handing the values of a list to JavaScript variables.

import { boundPath, describe } from './code-bindings.ts';
import { CodeCalls } from './code-calls.ts';
import { variableName } from './code-context.ts';
import { isOpenExpression } from './code-tables.ts';
import type { Block, Expression, Statement } from './syntax.ts';

/** Counts a backward jump. */
export const TICK = 'if(--S.fuel<0)S.exhaust();';

export type StatementOf<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

export abstract class CodeLoops extends CodeCalls {
  protected abstract block(block: Block): string;

  /** Assigns the values of an open expression to JavaScript variables, without an array for one value. */
  protected spread(names: readonly string[], open: Expression): string {
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

  protected holdValues(values: readonly Expression[], count: number, steps: string[]): string[] {
    const results: string[] = [];
    for (const [index, value] of values.entries()) {
      const isLast = index === values.length - 1;
      if (isLast && isOpenExpression(value) && index < count - 1) {
        const names = Array.from({ length: count - index }, () => this.context.reserve());
        steps.push(this.spread(names, value));
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

  protected numericFor(statement: StatementOf<'numeric-for'>): string {
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
    const inner = this.block(body);
    const isUp = step === undefined ? '' : `${increment}>0?`;
    const test =
      isUp === '' ? `${index}<=${limit}` : `${isUp}${index}<=${limit}:${limit}<=${index}`;
    const start = `${index}=${index}-${increment}+${increment}`;
    return `{${declared.join('')}${checked.join('')}for(${start};${test};${index}+=${increment}){${TICK}let ${loop}=${index};${inner}}}`;
  }

  protected genericFor(statement: StatementOf<'generic-for'>): string {
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
      if (!isOpen) return this.walk(path, argument, only.line, describe(only.callee), statement);
    }
    this.context.current.canRecurse = true;
    const [variable] = variables;
    const id = variable?.id ?? 0;
    const names = [`$f${id}`, `$s${id}`, `$c${id}`];
    const reserved = this.context.reserved;
    const steps: string[] = [];
    const results = this.holdValues(values, 3, steps);
    this.context.release(reserved);
    const declared = names
      .map((name, index) => `let ${name}=${results[index] ?? 'undefined'};`)
      .join('');
    const inner = this.block(body);
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
  protected walk(
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
    const inner = this.block(statement.body);
    const mark = this.context.markCall(line, name);
    const check = `if(!(${table} instanceof T))${mark}${this.context.bind(path)}(${table});`;
    const keyName = key === undefined ? '' : variableName(key);
    if (path === 'pairs') {
      const read =
        value === undefined ? '' : `let ${variableName(value)}=${table}.valueAt(${position});`;
      const held = `$k${id}`;
      const step = `${this.context.mark(line)}${table}.advanceFrom(${position},${held})`;
      const loop = `for(let ${position}=${table}.advance(0),${held};${position}!==0;${position}=${step})`;
      const keep = `${held}=${table}.keyAt(${position});let ${keyName}=${held};`;
      return `{const ${table}=${code};${check}${loop}{${TICK}${keep}${read}${inner}}}`;
    }
    const valueName = value === undefined ? `$v${id}` : variableName(value);
    const read = `let ${valueName}=${table}.get(${position});if(${valueName}===undefined)break;`;
    return `{const ${table}=${code};${check}for(let ${position}=1;;${position}++){${TICK}${read}let ${keyName}=${position};${inner}}}`;
  }
}
