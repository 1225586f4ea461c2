// The token stream of the parser: one token of look-ahead, the line of the last token consumed (the
// line the reference compiler stamps on an instruction), and the standard syntax errors.

import { Lexer, type Token } from './lexer.ts';
import { Scopes } from './scopes.ts';

const MAX_LEVELS = 200;

export class ParserTokens {
  protected token: Token;
  /** Line of the last token consumed. */
  protected lastLine = 1;
  protected readonly scopes: Scopes;
  readonly #lexer: Lexer;
  #lookahead: Token | undefined;
  #levels = 0;

  constructor(text: string, chunkId: string) {
    this.#lexer = new Lexer(text, chunkId);
    this.token = this.#lexer.next();
    this.scopes = new Scopes((message) => this.#lexer.fail(message));
  }

  /** Line of the current token, or of the look-ahead once that was read. */
  protected get line(): number {
    return this.#lexer.line;
  }

  protected advance(): void {
    this.lastLine = this.#lexer.line;
    this.token = this.#lookahead ?? this.#lexer.next();
    this.#lookahead = undefined;
  }

  protected peek(): Token {
    this.#lookahead ??= this.#lexer.next();
    return this.#lookahead;
  }

  protected fail(message: string): never {
    return this.#lexer.fail(message, this.token.shown);
  }

  /** Whether the current token is this symbol or keyword. */
  protected at(text: string): boolean {
    return this.token.text === text && this.token.kind !== 'string' && this.token.kind !== 'name';
  }

  protected accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.advance();
    return true;
  }

  protected expect(text: string): void {
    if (!this.accept(text)) this.fail(`'${text}' expected`);
  }

  protected expectMatch(closing: string, opening: string, line: number): void {
    if (this.accept(closing)) return;
    if (line === this.line) this.fail(`'${closing}' expected`);
    this.fail(`'${closing}' expected (to close '${opening}' at line ${line})`);
  }

  protected expectName(): string {
    if (this.token.kind !== 'name') this.fail("'<name>' expected");
    const name = this.token.text;
    this.advance();
    return name;
  }

  /** Nesting of blocks and expressions is bounded, as the reference compiler recurses. */
  protected enterLevel(): void {
    if (++this.#levels > MAX_LEVELS) this.#lexer.fail('chunk has too many syntax levels');
  }

  protected leaveLevel(): void {
    this.#levels--;
  }

  protected checkTargets(count: number): void {
    const limit = MAX_LEVELS - this.#levels;
    if (count <= limit) return;
    const line = this.scopes.function.lineDefined;
    const who = line === 0 ? 'main function' : `function at line ${line}`;
    this.#lexer.fail(`${who} has more than ${limit} variables in assignment`);
  }
}
