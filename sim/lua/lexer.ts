// Turns Lua 5.1 text into tokens. Exists because the compile errors Redis reports name the token
// ("near 'x'") and the line as the reference lexer sees them, which a general parser does not keep.
// Text is a latin1 string: one character per byte. Leaves out locale decimal points.

import { parseNumber } from './number-parse.ts';

/** A fault in the text of a script; `message` is word for word what Lua 5.1 says. */
export class LuaSyntaxError extends Error {
  readonly code = 'lua-syntax';
  override readonly name = 'LuaSyntaxError';
}

export type TokenKind = 'name' | 'string' | 'number' | 'eof' | 'symbol' | 'keyword';

export interface Token {
  readonly kind: TokenKind;
  /** The symbol, keyword or name; for a string its value; for a number its spelling. */
  readonly text: string;
  /** Value of a number. */
  readonly number: number;
  /** How the token is quoted in an error message. */
  readonly shown: string;
}

const KEYWORDS = new Set(
  (
    'and break do else elseif end false for function if in local nil not or repeat return then ' +
    'true until while'
  ).split(' '),
);

const NEWLINE = 10;
const RETURN = 13;
const END = -1;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

export class Lexer {
  /** Line of the character being read: the line of the token just read, or of its end. */
  line = 1;
  /** The characters of the token under way, as the reference implementation buffers them. */
  #buffer = '';
  #position = 0;
  readonly #text: string;
  readonly #chunkId: string;

  constructor(text: string, chunkId: string) {
    this.#text = text;
    this.#chunkId = chunkId;
  }

  /** Fails at the current line; `near` quotes a token. */
  fail(message: string, near?: string): never {
    const place = `${this.#chunkId}:${this.line}: ${message}`;
    throw new LuaSyntaxError(near === undefined ? place : `${place} near '${near}'`);
  }

  next(): Token {
    this.#buffer = '';
    for (;;) {
      const code = this.#code();
      if (code === NEWLINE || code === RETURN) this.#skipNewline();
      else if (isSpace(code)) this.#position++;
      else if (code === 45 && this.#text.charCodeAt(this.#position + 1) === 45) this.#skipComment();
      else return this.#token(code);
    }
  }

  #token(code: number): Token {
    if (code === END) return { kind: 'eof', text: '<eof>', number: 0, shown: '<eof>' };
    if (isLetter(code)) return this.#readName();
    if (isDigit(code)) return this.#readNumeral();
    const character = String.fromCharCode(code);
    if (character === '"' || character === "'") return this.#readString(code);
    if (character === '[') return this.#readBracket();
    if (character === '.') return this.#readDots();
    this.#position++;
    if ('=<>~'.includes(character) && this.#code() === 61) {
      this.#position++;
      return symbol(`${character}=`);
    }
    return symbol(character);
  }

  #code(): number {
    return this.#position < this.#text.length ? this.#text.charCodeAt(this.#position) : END;
  }

  #save(): void {
    this.#buffer += this.#text.charAt(this.#position++);
  }

  #skipNewline(): void {
    const first = this.#code();
    this.#position++;
    const second = this.#code();
    if ((second === NEWLINE || second === RETURN) && second !== first) this.#position++;
    this.line++;
  }

  #skipComment(): void {
    this.#position += 2;
    if (this.#code() === 91) {
      const level = this.#readSeparator();
      this.#buffer = '';
      if (level >= 0) {
        this.#readLong(level, true);
        this.#buffer = '';
        return;
      }
    }
    for (let code = this.#code(); code !== NEWLINE && code !== RETURN && code !== END; ) {
      this.#position++;
      code = this.#code();
    }
  }

  #readName(): Token {
    do this.#save();
    while (isLetter(this.#code()) || isDigit(this.#code()));
    const text = this.#buffer;
    return { kind: KEYWORDS.has(text) ? 'keyword' : 'name', text, number: 0, shown: text };
  }

  #readNumeral(): Token {
    do this.#save();
    while (isDigit(this.#code()) || this.#code() === 46);
    if (this.#code() === 69 || this.#code() === 101) {
      this.#save();
      if (this.#code() === 43 || this.#code() === 45) this.#save();
    }
    while (isLetter(this.#code()) || isDigit(this.#code())) this.#save();
    const value = parseNumber(this.#buffer);
    if (value === undefined) this.fail('malformed number', this.#buffer);
    return { kind: 'number', text: this.#buffer, number: value, shown: this.#buffer };
  }

  #readDots(): Token {
    this.#save();
    if (this.#code() === 46) {
      this.#save();
      if (this.#code() === 46) {
        this.#save();
        return symbol('...');
      }
      return symbol('..');
    }
    return isDigit(this.#code()) ? this.#readNumeral() : symbol('.');
  }

  #readBracket(): Token {
    const level = this.#readSeparator();
    if (level >= 0) return this.#readLong(level, false);
    if (level === -1) return symbol('[');
    return this.fail('invalid long string delimiter', this.#buffer);
  }

  /** Reads `[==`; the number of equals signs when a second bracket follows, else minus that, less 1. */
  #readSeparator(): number {
    const bracket = this.#code();
    let count = 0;
    this.#save();
    while (this.#code() === 61) {
      this.#save();
      count++;
    }
    return this.#code() === bracket ? count : -count - 1;
  }

  #readLong(level: number, isComment: boolean): Token {
    this.#save();
    if (this.#code() === NEWLINE || this.#code() === RETURN) this.#skipNewline();
    for (;;) {
      const code = this.#code();
      if (code === END) {
        this.fail(isComment ? 'unfinished long comment' : 'unfinished long string', '<eof>');
      } else if (code === 93) {
        if (this.#readSeparator() === level) {
          this.#save();
          break;
        }
      } else if (code === NEWLINE || code === RETURN) {
        this.#buffer += '\n';
        this.#skipNewline();
      } else this.#save();
    }
    const edge = level + 2;
    const text = this.#buffer.slice(edge, -edge);
    return { kind: 'string', text, number: 0, shown: beforeNul(this.#buffer) };
  }

  #readString(quote: number): Token {
    this.#save();
    for (let code = this.#code(); code !== quote; code = this.#code()) {
      if (code === END) this.fail('unfinished string', '<eof>');
      else if (code === NEWLINE || code === RETURN) {
        this.fail('unfinished string', beforeNul(this.#buffer));
      } else if (code === 92) this.#readEscape();
      else this.#save();
    }
    this.#save();
    const text = this.#buffer.slice(1, -1);
    return { kind: 'string', text, number: 0, shown: beforeNul(this.#buffer) };
  }

  #readEscape(): void {
    this.#position++;
    const code = this.#code();
    if (code === END) return;
    if (code === NEWLINE || code === RETURN) {
      this.#buffer += '\n';
      this.#skipNewline();
    } else if (isDigit(code)) this.#readDecimalEscape();
    else {
      const character = String.fromCharCode(code);
      this.#buffer += SIMPLE_ESCAPES[character] ?? character;
      this.#position++;
    }
  }

  #readDecimalEscape(): void {
    let value = 0;
    for (let count = 0; count < 3 && isDigit(this.#code()); count++) {
      value = value * 10 + this.#code() - 48;
      this.#position++;
    }
    if (value > 255) this.fail('escape sequence too large', beforeNul(this.#buffer));
    this.#buffer += String.fromCharCode(value);
  }
}

function symbol(text: string): Token {
  const code = text.charCodeAt(0);
  const isControl = text.length === 1 && (code < 32 || code === 127);
  return { kind: 'symbol', text, number: 0, shown: isControl ? `char(${code})` : text };
}

/** Messages are C strings: they end at the first zero byte. */
function beforeNul(text: string): string {
  const at = text.indexOf('\0');
  return at < 0 ? text : text.slice(0, at);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
