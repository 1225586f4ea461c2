// Parses Lua 5.1 expressions. The order in which tokens are consumed and lines noted follows the
// reference compiler, as error positions depend on it.

import { ParserTokens } from './parser-tokens.ts';
import type {
  ArithmeticOperator,
  Block,
  ComparisonOperator,
  Expression,
  FunctionExpression,
  TableField,
  Variable,
} from './syntax.ts';

const PRIORITIES: Readonly<Record<string, readonly [left: number, right: number]>> = {
  '+': [6, 6],
  '-': [6, 6],
  '*': [7, 7],
  '/': [7, 7],
  '%': [7, 7],
  '^': [10, 9],
  '..': [5, 4],
  '==': [3, 3],
  '~=': [3, 3],
  '<': [3, 3],
  '<=': [3, 3],
  '>': [3, 3],
  '>=': [3, 3],
  and: [2, 2],
  or: [1, 1],
};
const UNARY_PRIORITY = 8;
const CONSTANTS = new Set(['nil', 'true', 'false']);

export abstract class ParserExpressions extends ParserTokens {
  protected abstract parseBlockStatements(): Block;

  protected parseExpression(): Expression {
    return this.#parseBinary(0);
  }

  protected parseExpressionList(): Expression[] {
    const list = [this.parseExpression()];
    while (this.accept(',')) {
      this.settle(list.at(-1));
      list.push(this.parseExpression());
    }
    return list;
  }

  /** Notes the line at which a pending global or index expression is loaded. */
  protected settle(expression: Expression | undefined): void {
    if (expression?.kind !== 'index' && expression?.kind !== 'global') return;
    if (expression.line === 0) expression.line = this.lastLine;
  }

  /** A name, index or call: what may stand left of an assignment or as a statement. */
  protected parsePrimary(): Expression {
    let expression = this.#parsePrefix();
    for (;;) {
      if (this.at('.')) expression = this.parseField(expression);
      else if (this.at('[')) expression = this.#parseIndex(expression);
      else if (this.at(':')) expression = this.#parseMethodCall(expression);
      else if (this.at('(') || this.at('{') || this.token.kind === 'string') {
        this.settle(expression);
        const line = this.line;
        expression = { kind: 'call', callee: expression, arguments: this.#parseArguments(), line };
      } else return expression;
    }
  }

  protected parseField(object: Expression): Expression {
    this.settle(object);
    this.advance();
    return { kind: 'index', object, key: { kind: 'string', value: this.expectName() }, line: 0 };
  }

  /** Parameters and body, from the opening parenthesis to `end`. */
  protected parseFunctionBody(hasSelf: boolean, line: number, hint: string): FunctionExpression {
    const scope = this.scopes.openFunction(line);
    this.expect('(');
    const parameters: Variable[] = [];
    if (hasSelf) {
      parameters.push(this.scopes.declare('self', 0));
      this.scopes.show(parameters);
    }
    const listed: Variable[] = [];
    if (!this.at(')')) this.#parseParameters(listed);
    this.expect(')');
    parameters.push(...listed);
    if (scope.isVararg) {
      scope.argVariable = this.scopes.declare('arg', listed.length);
      listed.push(scope.argVariable);
      scope.argVariable.sources.push(undefined);
    }
    for (const parameter of parameters) parameter.sources.push(undefined);
    this.scopes.show(listed);
    const body = this.parseBlockStatements();
    this.expectMatch('end', 'function', line);
    this.scopes.closeFunction();
    return { kind: 'function', scope, parameters, body, hint };
  }

  #parseParameters(listed: Variable[]): void {
    do {
      if (this.token.kind === 'name') {
        listed.push(this.scopes.declare(this.expectName(), listed.length));
      } else if (this.accept('...')) this.scopes.function.isVararg = true;
      else this.fail("<name> or '...' expected");
    } while (!this.scopes.function.isVararg && this.accept(','));
  }

  #parseBinary(limit: number): Expression {
    this.enterLevel();
    let left = this.#parseUnary();
    for (;;) {
      const operator =
        this.token.kind === 'string' || this.token.kind === 'name' ? '' : this.token.text;
      const priority = Object.hasOwn(PRIORITIES, operator) ? PRIORITIES[operator] : undefined;
      if (priority === undefined || priority[0] <= limit) break;
      this.advance();
      this.settle(left);
      const right = this.#parseBinary(priority[1]);
      this.settle(right);
      left = this.#combine(operator, left, right);
    }
    this.leaveLevel();
    return left;
  }

  #combine(operator: string, left: Expression, right: Expression): Expression {
    const line = this.lastLine;
    if (operator === 'and' || operator === 'or') return { kind: operator, left, right };
    if (operator === '..') {
      const tail = right.kind === 'parenthesis' ? right.inner : right;
      if (tail.kind !== 'concat') return { kind: 'concat', operands: [left, right], line };
      return { kind: 'concat', operands: [left, ...tail.operands], line: tail.line };
    }
    if (isComparison(operator)) return { kind: 'comparison', operator, left, right, line };
    if (isArithmetic(operator)) return { kind: 'arithmetic', operator, left, right, line };
    throw new Error(`Expected a binary operator, got ${operator}.`);
  }

  #parseUnary(): Expression {
    const operator =
      this.token.kind === 'string' || this.token.kind === 'name' ? '' : this.token.text;
    if (operator !== 'not' && operator !== '-' && operator !== '#') return this.#parseSimple();
    this.advance();
    const operand = this.#parseBinary(UNARY_PRIORITY);
    this.settle(operand);
    if (operator === 'not') return { kind: 'not', operand };
    return { kind: operator === '-' ? 'negate' : 'length', operand, line: this.lastLine };
  }

  #parseSimple(): Expression {
    const { kind, text, number } = this.token;
    if (kind === 'number') return this.#consume({ kind: 'number', value: number });
    if (kind === 'string') return this.#consume({ kind: 'string', value: text });
    if (kind === 'name') return this.parsePrimary();
    if (text === 'nil' || text === 'true' || text === 'false') {
      return CONSTANTS.has(text) ? this.#consume({ kind: text }) : this.parsePrimary();
    }
    if (text === '...' && kind === 'symbol') {
      if (!this.scopes.function.isVararg) this.fail("cannot use '...' outside a vararg function");
      this.scopes.function.usesDots = true;
      return this.#consume({ kind: 'vararg' });
    }
    if (text === '{') return this.#parseTable();
    if (text === 'function') {
      this.advance();
      return this.parseFunctionBody(false, this.line, 'anonymous');
    }
    return this.parsePrimary();
  }

  #consume(expression: Expression): Expression {
    this.advance();
    return expression;
  }

  #parsePrefix(): Expression {
    if (this.at('(')) {
      const line = this.line;
      this.advance();
      const inner = this.parseExpression();
      this.expectMatch(')', '(', line);
      this.settle(inner);
      return { kind: 'parenthesis', inner };
    }
    if (this.token.kind !== 'name') this.fail('unexpected symbol');
    return this.scopes.find(this.expectName());
  }

  #parseIndex(object: Expression): Expression {
    this.settle(object);
    const key = this.#parseKey();
    return { kind: 'index', object, key, line: 0 };
  }

  #parseKey(): Expression {
    this.advance();
    const key = this.parseExpression();
    this.settle(key);
    this.expect(']');
    return key;
  }

  #parseMethodCall(object: Expression): Expression {
    this.advance();
    const name = this.expectName();
    this.settle(object);
    const selfLine = this.lastLine;
    const line = this.line;
    return { kind: 'method', object, name, arguments: this.#parseArguments(), selfLine, line };
  }

  #parseArguments(): Expression[] {
    const line = this.line;
    if (this.token.kind === 'string') {
      const { text } = this.token;
      this.advance();
      return [{ kind: 'string', value: text }];
    }
    if (this.at('{')) return [this.#parseTable()];
    if (!this.at('(')) this.fail('function arguments expected');
    if (line !== this.lastLine) {
      this.fail('ambiguous syntax (function call x new statement)');
    }
    this.advance();
    const list = this.at(')') ? [] : this.parseExpressionList();
    this.expectMatch(')', '(', line);
    this.settle(list.at(-1));
    return list;
  }

  #parseTable(): Expression {
    const line = this.line;
    const fields: TableField[] = [];
    let pending: Expression | undefined;
    this.expect('{');
    while (!this.at('}')) {
      this.settle(pending);
      const field = this.#parseTableField();
      pending = field.kind === 'item' ? field.value : undefined;
      fields.push(field);
      if (!this.accept(',') && !this.accept(';')) break;
    }
    this.expectMatch('}', '{', line);
    this.settle(pending);
    return { kind: 'table', fields, line };
  }

  #parseTableField(): TableField {
    const isNamed = this.token.kind === 'name' && this.#isAssignmentAhead();
    if (!isNamed && !this.at('[')) return { kind: 'item', value: this.parseExpression() };
    const key: Expression = isNamed
      ? { kind: 'string', value: this.expectName() }
      : this.#parseKey();
    this.expect('=');
    const value = this.parseExpression();
    this.settle(value);
    return { kind: 'pair', key, value, line: this.lastLine };
  }

  #isAssignmentAhead(): boolean {
    const token = this.peek();
    return token.kind === 'symbol' && token.text === '=';
  }
}

function isComparison(operator: string): operator is ComparisonOperator {
  return ['==', '~=', '<', '<=', '>', '>='].includes(operator);
}

function isArithmetic(operator: string): operator is ArithmeticOperator {
  return '+-*/%^'.includes(operator);
}
