// Random small Lua programs for differential fuzzing: scopes, closures, varargs, multiple assignment,
// loops, metatables, and plenty of type errors, whose messages name variables and lines. Programs end:
// loops are counted, and functions call only functions defined before them.

import type { Draw } from './lua-fuzz.ts';

const NAMES = ['a', 'b', 'c', 'd', 't', 'u'];
const BINARY = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '..',
  '==',
  '~=',
  '<',
  '<=',
  '>',
  '>=',
  'and',
  'or',
  '+',
  '-',
  '*',
  '==',
];
const FIELDS = ['x', 'y', 'n'];
const CALLS = [
  'tostring(#)',
  'type(#)',
  'math.floor(#)',
  'math.max(#, #)',
  'select("#", #, #)',
  'select(2, #, #, #)',
  'string.rep(#, 2)',
  'string.sub(#, 2)',
  'string.byte(#)',
  'tonumber(#)',
  'rawget(t, #)',
  'unpack({#, #}, 1, 2)',
  'pcall(math.floor, #)',
  'next({#})',
  'string.format("%s,%d", #, #)',
  'table.concat({#, #}, "-")',
  '(#):upper()',
  'math.min(#)',
];

/** `out` notes what a guarded statement gave, so that one error does not end a program. */
const PRELUDE = `local a, b, c, d = 1, "s", nil, 2.5
local t, u = {1, 2, x = 3}, {}
local log = {}
local function show(v)
if type(v) == "table" then return "T" .. #v end
if type(v) == "function" then return "F" end
return (string.gsub(tostring(v), "0x%x+", "address"))
end
local function out(...)
for n = 1, select("#", ...) do log[#log + 1] = show((select(n, ...))) end
end`;

/** The text of one program; it returns a few values or fails. */
export function drawProgram(draw: Draw): string {
  return new ProgramWriter(draw).write();
}

class ProgramWriter {
  readonly #draw: Draw;
  #functions = 0;
  #loops = 0;
  #isVararg = true;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  write(): string {
    const body = this.#block(2 + this.#draw(6), 3);
    const ends = Array.from({ length: 3 }, () => this.#guard(`return ${this.#list(1, 3, 2)}`));
    return [PRELUDE, ...body, ...ends, 'return table.concat(log, ";")'].join('\n');
  }

  #pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const choice = choices[this.#draw(choices.length)];
    if (choice === undefined) throw new Error('Expected a choice to draw from.');
    return choice;
  }

  #block(size: number, depth: number): string[] {
    return Array.from({ length: size }, () => this.#statement(depth));
  }

  #nested(depth: number): string {
    return this.#block(1 + this.#draw(3), depth - 1).join('\n');
  }

  /** Runs a statement as a function of its own, under pcall, and notes what came of it. */
  #guard(statement: string): string {
    return this.#isVararg
      ? `out(pcall(function(...)\n${statement}\nend, ...))`
      : `out(pcall(function()\n${statement}\nend))`;
  }

  #statement(depth: number): string {
    const kind = this.#draw(depth > 0 ? 16 : 7);
    const isGuarded = kind >= 2 && kind < 14 && this.#draw(4) > 0;
    return isGuarded
      ? this.#guard(this.#plainStatement(kind, depth))
      : this.#plainStatement(kind, depth);
  }

  #plainStatement(kind: number, depth: number): string {
    switch (kind) {
      case 0:
        return `local ${this.#pick(NAMES)} = ${this.#expression(2)}`;
      case 1:
        return `local ${this.#pick(NAMES)}, ${this.#pick(NAMES)} = ${this.#list(1, 3, 2)}`;
      case 2:
      case 3:
        return `${this.#target()} = ${this.#expression(3)}`;
      case 4:
        return `${this.#target()}, ${this.#target()} = ${this.#list(1, 3, 2)}`;
      case 5:
        return `${this.#target()}, ${this.#target()}, ${this.#target()} = ${this.#list(1, 4, 1)}`;
      case 6:
        return this.#call(1);
      default:
        return this.#compound(kind, depth);
    }
  }

  #compound(kind: number, depth: number): string {
    const loop = `i${this.#loops++}`;
    switch (kind) {
      case 7:
        return `if ${this.#expression(2)} then\n${this.#nested(depth)}\nelse\n${this.#nested(depth)}\nend`;
      case 8:
        return `if ${this.#expression(2)} then\n${this.#nested(depth)}\nend`;
      case 9:
        return `for ${this.#pick([loop, 'a'])} = ${this.#draw(3)}, ${this.#draw(4)} do\n${this.#nested(depth)}\nend`;
      case 10:
        return `local ${loop} = 0 while ${loop} < 3 do ${loop} = ${loop} + 1\n${this.#nested(depth)}\nif ${this.#expression(1)} then break end end`;
      case 11:
        return `local ${loop} = 0 repeat ${loop} = ${loop} + 1 local a = ${loop}\n${this.#nested(depth)}\nuntil ${loop} > 2 or ${this.#expression(1)}`;
      case 12:
        return `for ${this.#pick(['k', 'a'])}, v in ${this.#pick(['pairs', 'ipairs'])}(${this.#pick(NAMES)}) do\n${this.#nested(depth)}\nend`;
      case 13:
        return `do\n${this.#nested(depth)}\nend`;
      case 14:
        return `setmetatable(u, {__index = function(self, key) return ${this.#pick(['key', '7', 't'])} end, __add = function(p, q) return ${this.#expression(1)} end})`;
      default:
        return this.#function(depth);
    }
  }

  #function(depth: number): string {
    const outer = this.#isVararg;
    this.#isVararg = this.#draw(2) === 0;
    const parameters = this.#pick(['a', 'a, b', 'x', '']);
    const dots = this.#isVararg ? (parameters === '' ? '...' : ', ...') : '';
    const body = this.#nested(depth);
    const result = `return ${this.#list(0, 3, 1)}`;
    this.#isVararg = outer;
    return `local function f${this.#functions++}(${parameters}${dots})\n${body}\n${result}\nend`;
  }

  #target(): string {
    switch (this.#draw(5)) {
      case 0:
        return `${this.#pick(NAMES)}.${this.#pick(FIELDS)}`;
      case 1:
        return `${this.#pick(NAMES)}[${this.#expression(1)}]`;
      default:
        return this.#pick(NAMES);
    }
  }

  #list(least: number, most: number, depth: number): string {
    const size = least + this.#draw(most - least + 1);
    return Array.from({ length: size }, () => this.#expression(depth)).join(', ');
  }

  #call(depth: number): string {
    if (this.#functions > 0 && this.#draw(2) === 0) {
      return `f${this.#draw(this.#functions)}(${this.#list(0, 3, depth)})`;
    }
    if (this.#draw(6) === 0)
      return `${this.#pick(NAMES)}:${this.#pick(FIELDS)}(${this.#list(0, 2, depth)})`;
    if (this.#draw(8) === 0)
      return `${this.#pick(NAMES)}.${this.#pick(FIELDS)}(${this.#list(0, 2, depth)})`;
    if (this.#draw(8) === 0) return `(function(...) return ... end)(${this.#list(0, 3, depth)})`;
    return this.#pick(CALLS).replace(/#/g, (mark, at: number, whole: string) =>
      whole.charAt(at - 1) === '"' ? mark : this.#expression(depth - 1),
    );
  }

  #expression(depth: number): string {
    if (depth <= 0) return this.#leaf();
    switch (this.#draw(9)) {
      case 0:
      case 1:
      case 2:
        return `${this.#operand(depth)} ${this.#pick(BINARY)} ${this.#pick(['', '', '', '', '', '\n'])}${this.#operand(depth)}`;
      case 3:
        return `${this.#pick(['not ', '-', '#'])}${this.#operand(depth)}`;
      case 4:
        return `(${this.#expression(depth - 1)})`;
      case 5:
        return this.#call(depth - 1);
      case 6:
        return `{${this.#list(0, 3, depth - 1)}}`;
      default:
        return this.#leaf();
    }
  }

  #operand(depth: number): string {
    const text = this.#expression(depth - 1);
    return /[\s]/.test(text) ? `(${text})` : text;
  }

  #leaf(): string {
    switch (this.#draw(9)) {
      case 0:
        return String(this.#draw(5));
      case 1:
        return this.#pick(['"s"', '"10"', '""', '0.5', 'nil', 'true', 'false', '1e15', '-1']);
      case 2:
        return `${this.#pick(NAMES)}.${this.#pick(FIELDS)}`;
      case 3:
        return `${this.#pick(NAMES)}[${this.#draw(4)}]`;
      case 4:
        return this.#isVararg ? '...' : '0';
      default:
        return this.#pick(NAMES);
    }
  }
}
