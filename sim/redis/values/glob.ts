// Glob patterns as Redis matches them (`stringmatchlen`): * ? [set] [^set] [a-z] and \ to escape.

export function matchesGlob(pattern: string, text: string): boolean {
  return matchFrom(pattern, 0, text, 0);
}

function matchFrom(
  pattern: string,
  patternStart: number,
  text: string,
  textStart: number,
): boolean {
  let at = patternStart;
  let position = textStart;
  while (at < pattern.length && position < text.length) {
    const sign = pattern[at];
    if (sign === '*') {
      while (pattern[at + 1] === '*') at += 1;
      if (at + 1 === pattern.length) return true;
      for (let rest = position; rest < text.length; rest += 1) {
        if (matchFrom(pattern, at + 1, text, rest)) return true;
      }
      return false;
    }
    if (sign === '[') {
      const set = matchSet(pattern, at, text.charCodeAt(position));
      if (!set.isMatch) return false;
      at = set.end;
    } else if (sign !== '?') {
      if (sign === '\\' && at + 1 < pattern.length) at += 1;
      if (pattern[at] !== text[position]) return false;
    }
    at += 1;
    position += 1;
  }
  if (position < text.length) return false;
  while (pattern[at] === '*') at += 1;
  return at >= pattern.length;
}

/** `end` is the position of the closing bracket, or of the pattern's last letter without one. */
function matchSet(pattern: string, start: number, code: number): { isMatch: boolean; end: number } {
  let at = start + 1;
  const isInverse = pattern[at] === '^';
  if (isInverse) at += 1;
  let isMatch = false;
  for (;;) {
    if (at >= pattern.length) {
      at = pattern.length - 1;
      break;
    }
    if (pattern[at] === '\\' && at + 1 < pattern.length) {
      at += 1;
      if (pattern.charCodeAt(at) === code) isMatch = true;
    } else if (pattern[at] === ']') {
      break;
    } else if (pattern[at + 1] === '-' && at + 2 < pattern.length) {
      const first = pattern.charCodeAt(at);
      const last = pattern.charCodeAt(at + 2);
      if (code >= Math.min(first, last) && code <= Math.max(first, last)) isMatch = true;
      at += 2;
    } else if (pattern.charCodeAt(at) === code) {
      isMatch = true;
    }
    at += 1;
  }
  return { isMatch: isMatch !== isInverse, end: at };
}
