// Splits an inline command into arguments as Redis' `sdssplitargs` does: words, "quoted" with
// escapes, or 'quoted' with only \' inside.

/** Undefined: quotes are not closed, or a closing quote is not followed by a space. */
export function splitInline(line: string): string[] | undefined {
  const words: string[] = [];
  let index = 0;
  for (;;) {
    while (isSpace(line[index])) index += 1;
    if (index >= line.length) return words;
    const word = readWord(line, index);
    if (word === undefined) return undefined;
    words.push(word.text);
    index = word.end;
  }
}

interface Word {
  readonly text: string;
  readonly end: number;
}

function readWord(line: string, start: number): Word | undefined {
  let text = '';
  let index = start;
  while (index < line.length && !isSpace(line[index]) && line[index] !== '\0') {
    const letter = line[index] ?? '';
    if (letter !== '"' && letter !== "'") {
      text += letter;
      index += 1;
      continue;
    }
    const quoted = letter === '"' ? readDoubleQuoted(line, index) : readSingleQuoted(line, index);
    if (quoted === undefined) return undefined;
    const next = line[quoted.end];
    if (next !== undefined && !isSpace(next)) return undefined;
    return { text: text + quoted.text, end: quoted.end };
  }
  // A zero byte ends the line for Redis, which reads it as a C string.
  return { text, end: line[index] === '\0' ? line.length : index };
}

function readDoubleQuoted(line: string, start: number): Word | undefined {
  let text = '';
  let index = start + 1;
  while (index < line.length) {
    const letter = line[index] ?? '';
    if (letter === '"') return { text, end: index + 1 };
    const hex = letter === '\\' && line[index + 1] === 'x' ? line.slice(index + 2, index + 4) : '';
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      text += String.fromCharCode(Number.parseInt(hex, 16));
      index += 4;
    } else if (letter === '\\' && index + 1 < line.length) {
      const escaped = line[index + 1] ?? '';
      text += escapes.get(escaped) ?? escaped;
      index += 2;
    } else {
      text += letter;
      index += 1;
    }
  }
  return undefined;
}

function readSingleQuoted(line: string, start: number): Word | undefined {
  let text = '';
  let index = start + 1;
  while (index < line.length) {
    const letter = line[index] ?? '';
    if (letter === "'") return { text, end: index + 1 };
    const isEscaped = letter === '\\' && line[index + 1] === "'";
    text += isEscaped ? "'" : letter;
    index += isEscaped ? 2 : 1;
  }
  return undefined;
}

const escapes = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['a', '\x07'],
]);

function isSpace(letter: string | undefined): boolean {
  return letter !== undefined && ' \t\n\v\f\r'.includes(letter);
}
