// Parses a Lua 5.1 chunk into its syntax tree, with the reference compiler's errors word for word.

import { ParserExpressions } from './parser-expressions.ts';
import type {
  AssignmentTarget,
  Block,
  Expression,
  FunctionExpression,
  Statement,
  Variable,
} from './syntax.ts';

const BLOCK_ENDS = new Set(['else', 'elseif', 'end', 'until', '<eof>']);

/**
 * Parses a whole chunk; the result is its main function, which takes varargs.
 * @param chunkId how positions name the chunk, for example `user_script`
 * @throws LuaSyntaxError with the text of the reference compiler
 */
export function parseChunk(text: string, chunkId: string): ParsedChunk {
  return new Parser(text, chunkId).parse();
}

export interface ParsedChunk {
  readonly main: FunctionExpression;
  readonly variables: readonly Variable[];
}

class Parser extends ParserExpressions {
  parse(): ParsedChunk {
    const scope = this.scopes.openFunction(0);
    scope.isVararg = true;
    const body = this.parseBlockStatements();
    if (this.token.kind !== 'eof') this.fail("'<eof>' expected");
    this.scopes.closeFunction();
    const main: FunctionExpression = {
      kind: 'function',
      scope,
      parameters: [],
      body,
      hint: 'main',
    };
    return { main, variables: this.scopes.variables };
  }

  protected override parseBlockStatements(): Block {
    const statements: Statement[] = [];
    this.enterLevel();
    let isLast = false;
    while (!isLast && !this.#atBlockEnd()) {
      const statement = this.#parseStatement();
      statements.push(statement);
      isLast = statement.kind === 'return' || statement.kind === 'break';
      this.accept(';');
    }
    this.leaveLevel();
    return statements;
  }

  #atBlockEnd(): boolean {
    return (
      (this.token.kind === 'keyword' || this.token.kind === 'eof') &&
      BLOCK_ENDS.has(this.token.text)
    );
  }

  #parseBlock(isLoop: boolean): Block {
    this.scopes.openBlock(isLoop);
    const body = this.parseBlockStatements();
    this.scopes.closeBlock();
    return body;
  }

  #parseStatement(): Statement {
    const line = this.line;
    switch (this.token.kind === 'keyword' ? this.token.text : '') {
      case 'if':
        return this.#parseIf(line);
      case 'while':
        return this.#parseWhile(line);
      case 'do': {
        this.advance();
        const body = this.#parseBlock(false);
        this.expectMatch('end', 'do', line);
        return { kind: 'do', body };
      }
      case 'for':
        return this.#parseFor(line);
      case 'repeat':
        return this.#parseRepeat(line);
      case 'function':
        return this.#parseFunction(line);
      case 'local':
        this.advance();
        return this.accept('function') ? this.#parseLocalFunction() : this.#parseLocal();
      case 'return':
        return this.#parseReturn();
      case 'break':
        this.advance();
        if (!this.scopes.isInLoop()) this.fail('no loop to break');
        return { kind: 'break' };
      default:
        return this.#parseExpressionStatement();
    }
  }

  #parseCondition(): Expression {
    const condition = this.parseExpression();
    this.settle(condition);
    return condition;
  }

  #parseIf(line: number): Statement {
    const branches: { condition: Expression; body: Block }[] = [];
    do {
      this.advance();
      const condition = this.#parseCondition();
      this.expect('then');
      branches.push({ condition, body: this.#parseBlock(false) });
    } while (this.at('elseif'));
    const otherwise = this.accept('else') ? this.#parseBlock(false) : undefined;
    this.expectMatch('end', 'if', line);
    return { kind: 'if', branches, otherwise };
  }

  #parseWhile(line: number): Statement {
    this.advance();
    const condition = this.#parseCondition();
    this.expect('do');
    const body = this.#parseBlock(true);
    this.expectMatch('end', 'while', line);
    return { kind: 'while', condition, body };
  }

  #parseRepeat(line: number): Statement {
    this.scopes.openBlock(true);
    this.advance();
    const body = this.parseBlockStatements();
    this.expectMatch('until', 'repeat', line);
    const condition = this.#parseCondition();
    this.scopes.closeBlock();
    return { kind: 'repeat', body, condition };
  }

  #parseFor(line: number): Statement {
    this.advance();
    const name = this.expectName();
    let statement: Statement;
    if (this.at('=')) statement = this.#parseNumericFor(name);
    else if (this.at(',') || this.at('in')) statement = this.#parseGenericFor(name);
    else this.fail("'=' or 'in' expected");
    this.expectMatch('end', 'for', line);
    return statement;
  }

  #parseNumericFor(name: string): Statement {
    const variable = this.scopes.declare(name, 3);
    variable.sources.push({ kind: 'number', value: 1 });
    this.advance();
    const from = this.parseExpression();
    this.settle(from);
    this.expect(',');
    const to = this.parseExpression();
    this.settle(to);
    const step = this.accept(',') ? this.parseExpression() : undefined;
    this.settle(step);
    const body = this.#parseForBody([variable]);
    return {
      kind: 'numeric-for',
      variable,
      from,
      to,
      step,
      body: body.block,
      prepareLine: body.doLine,
    };
  }

  #parseGenericFor(name: string): Statement {
    const variables = [this.scopes.declare(name, 3)];
    while (this.accept(',')) {
      variables.push(this.scopes.declare(this.expectName(), 3 + variables.length));
    }
    for (const variable of variables) variable.sources.push(undefined);
    this.expect('in');
    const line = this.line;
    const values = this.parseExpressionList();
    this.settle(values.at(-1));
    return {
      kind: 'generic-for',
      variables,
      values,
      body: this.#parseForBody(variables).block,
      line,
    };
  }

  /** The three hidden control variables of a loop count as locals. */
  #parseForBody(variables: readonly Variable[]): { block: Block; doLine: number } {
    this.scopes.openBlock(true);
    const hidden = ['(for a)', '(for b)', '(for c)'];
    this.scopes.show(hidden.map((name, index) => this.scopes.declare(name, index)));
    this.expect('do');
    const doLine = this.lastLine;
    this.scopes.show(variables);
    const block = this.parseBlockStatements();
    this.scopes.closeBlock();
    return { block, doLine };
  }

  #parseFunction(line: number): Statement {
    this.advance();
    let target: Expression = this.scopes.find(this.expectName());
    let hasSelf = false;
    while (this.at('.')) target = this.parseField(target);
    if (this.at(':')) {
      hasSelf = true;
      target = this.parseField(target);
    }
    const hint = target.kind === 'local' ? target.variable.name : 'named';
    const value = this.parseFunctionBody(hasSelf, line, hint);
    const assignable = this.#asTarget(target);
    this.#noteAssignment(assignable, value);
    return { kind: 'assign', targets: [assignable], values: [value], line };
  }

  #parseLocalFunction(): Statement {
    const variable = this.scopes.declare(this.expectName(), 0);
    this.scopes.show([variable]);
    const value = this.parseFunctionBody(false, this.line, variable.name);
    variable.sources.push(value);
    return { kind: 'local-function', variable, value };
  }

  #parseLocal(): Statement {
    const variables: Variable[] = [];
    do variables.push(this.scopes.declare(this.expectName(), variables.length));
    while (this.accept(','));
    const values = this.accept('=') ? this.parseExpressionList() : [];
    this.settle(values.at(-1));
    for (const [index, variable] of variables.entries()) {
      variable.sources.push(knownValue(values, index));
    }
    this.scopes.show(variables);
    return { kind: 'local', variables, values };
  }

  #parseReturn(): Statement {
    this.advance();
    if (this.#atBlockEnd() || this.at(';')) return { kind: 'return', values: [] };
    const values = this.parseExpressionList();
    this.settle(values.at(-1));
    return { kind: 'return', values };
  }

  #parseExpressionStatement(): Statement {
    const first = this.parsePrimary();
    if (first.kind === 'call' || first.kind === 'method') return { kind: 'call', call: first };
    const targets = [this.#asTarget(first)];
    while (this.accept(',')) {
      targets.push(this.#asTarget(this.parsePrimary()));
      this.checkTargets(targets.length - 1);
    }
    for (const target of targets) {
      if (target.kind === 'index') this.settle(target.object);
    }
    this.expect('=');
    const values = this.parseExpressionList();
    this.settle(values.at(-1));
    for (const [index, target] of targets.entries()) {
      this.#noteAssignment(target, knownValue(values, index));
    }
    return { kind: 'assign', targets, values, line: this.lastLine };
  }

  #asTarget(expression: Expression): AssignmentTarget {
    if (
      expression.kind === 'local' ||
      expression.kind === 'global' ||
      expression.kind === 'index'
    ) {
      return expression;
    }
    return this.fail('syntax error');
  }

  #noteAssignment(target: AssignmentTarget, value: Expression | undefined): void {
    if (target.kind !== 'local') return;
    target.variable.isReassigned = true;
    target.variable.isReassignedInClosure ||= target.isUpvalue;
    target.variable.sources.push(value);
  }
}

/** The expression a position of a list takes its value from; undefined when a call supplies it. */
function knownValue(values: readonly Expression[], index: number): Expression | undefined {
  const value = values[index];
  if (value !== undefined) {
    const isLast = index === values.length - 1;
    return isLast && (value.kind === 'call' || value.kind === 'method' || value.kind === 'vararg')
      ? undefined
      : value;
  }
  const last = values.at(-1);
  const isOpen = last?.kind === 'call' || last?.kind === 'method' || last?.kind === 'vararg';
  return isOpen ? undefined : { kind: 'nil' };
}
