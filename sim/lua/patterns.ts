// Lua 5.1's pattern matcher, after lstrlib.c: same backtracking, same errors. Patterns are C strings
// there, so a zero byte ends a pattern, and the subject reads as zero past its end.

import { throwNativeError } from './errors.ts';
import { chargeSteps } from './steps.ts';
import type { LuaValue } from './table.ts';

const UNFINISHED = -1;
const POSITION = -2;
const MAX_CAPTURES = 32;
const ESCAPE = 37;

/** One attempt to match; positions count from 0, -1 means no match. */
export class PatternMatch {
  level = 0;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #subject: string;
  readonly #pattern: string;

  constructor(subject: string, pattern: string) {
    this.#subject = subject;
    this.#pattern = pattern;
  }

  /** End of the match of the pattern from `patternStart` at exactly `start`, or -1. */
  matchAt(start: number, patternStart: number): number {
    this.level = 0;
    return this.#match(start, patternStart);
  }

  /** Captures of the last match; the whole match when there are none and it is asked for. */
  captures(start: number, end: number, isWholeWanted: boolean): LuaValue[] {
    const count = this.level === 0 && isWholeWanted ? 1 : this.level;
    const values: LuaValue[] = [];
    for (let index = 0; index < count; index++) values.push(this.capture(index, start, end));
    return values;
  }

  capture(index: number, start: number, end: number): LuaValue {
    if (index >= this.level) {
      if (index === 0) return this.#subject.slice(start, end);
      return throwNativeError('invalid capture index');
    }
    const length = this.#lengths[index] ?? 0;
    const from = this.#starts[index] ?? 0;
    if (length === UNFINISHED) return throwNativeError('unfinished capture');
    if (length === POSITION) return from + 1;
    return this.#subject.slice(from, from + length);
  }

  #at(position: number): number {
    return this.#pattern.charCodeAt(position) | 0;
  }

  #match(start: number, patternStart: number): number {
    chargeSteps(1);
    let s = start;
    let p = patternStart;
    for (;;) {
      switch (this.#at(p)) {
        case 0:
          return s;
        case 40:
          return this.#at(p + 1) === 41
            ? this.#startCapture(s, p + 2, POSITION)
            : this.#startCapture(s, p + 1, UNFINISHED);
        case 41:
          return this.#endCapture(s, p + 1);
        case 36:
          if (this.#at(p + 1) === 0) return s === this.#subject.length ? s : -1;
          break;
        case ESCAPE: {
          const next = this.#at(p + 1);
          if (next === 98) {
            s = this.#matchBalance(s, p + 2);
            if (s < 0) return -1;
            p += 4;
            continue;
          }
          if (next === 102) {
            p = this.#matchFrontier(s, p + 2);
            if (p < 0) return -1;
            continue;
          }
          if (next >= 48 && next <= 57) {
            s = this.#matchCapture(s, next);
            if (s < 0) return -1;
            p += 2;
            continue;
          }
        }
      }
      const end = this.#classEnd(p);
      const isMatch = s < this.#subject.length && this.#matchSingle(s, p, end);
      switch (this.#at(end)) {
        case 63: {
          if (isMatch) {
            const result = this.#match(s + 1, end + 1);
            if (result >= 0) return result;
          }
          p = end + 1;
          continue;
        }
        case 42:
          return this.#expandMost(s, p, end);
        case 43:
          return isMatch ? this.#expandMost(s + 1, p, end) : -1;
        case 45:
          return this.#expandLeast(s, p, end);
        default:
          if (!isMatch) return -1;
          s++;
          p = end;
      }
    }
  }

  #classEnd(start: number): number {
    let p = start + 1;
    const code = this.#at(start);
    if (code === ESCAPE) {
      if (this.#at(p) === 0) throwNativeError("malformed pattern (ends with '%')");
      return p + 1;
    }
    if (code !== 91) return p;
    if (this.#at(p) === 94) p++;
    do {
      if (this.#at(p) === 0) throwNativeError("malformed pattern (missing ']')");
      if (this.#at(p++) === ESCAPE && this.#at(p) !== 0) p++;
    } while (this.#at(p) !== 93);
    return p + 1;
  }

  #matchSingle(s: number, p: number, end: number): boolean {
    const code = this.#subject.charCodeAt(s);
    switch (this.#at(p)) {
      case 46:
        return true;
      case ESCAPE:
        return isInClass(code, this.#at(p + 1));
      case 91:
        return this.#matchSet(code, p, end - 1);
      default:
        return this.#at(p) === code;
    }
  }

  #matchSet(code: number, start: number, end: number): boolean {
    let p = start;
    let found = true;
    if (this.#at(p + 1) === 94) {
      found = false;
      p++;
    }
    while (++p < end) {
      if (this.#at(p) === ESCAPE) {
        p++;
        if (isInClass(code, this.#at(p))) return found;
      } else if (this.#at(p + 1) === 45 && p + 2 < end) {
        p += 2;
        if (this.#at(p - 2) <= code && code <= this.#at(p)) return found;
      } else if (this.#at(p) === code) return found;
    }
    return !found;
  }

  #matchBalance(start: number, p: number): number {
    const open = this.#at(p);
    const close = this.#at(p + 1);
    if (open === 0 || close === 0) throwNativeError('unbalanced pattern');
    if ((this.#subject.charCodeAt(start) | 0) !== open) return -1;
    let depth = 1;
    for (let s = start + 1; s < this.#subject.length; s++) {
      const code = this.#subject.charCodeAt(s);
      if (code === close) {
        if (--depth === 0) return s + 1;
      } else if (code === open) depth++;
    }
    return -1;
  }

  /** Where the pattern goes on after a frontier that matches, or -1. */
  #matchFrontier(s: number, p: number): number {
    if (this.#at(p) !== 91) throwNativeError("missing '[' after '%f' in pattern");
    const end = this.#classEnd(p);
    const previous = s === 0 ? 0 : this.#subject.charCodeAt(s - 1);
    const current = this.#subject.charCodeAt(s) | 0;
    return this.#matchSet(previous, p, end - 1) || !this.#matchSet(current, p, end - 1) ? -1 : end;
  }

  #expandMost(s: number, p: number, end: number): number {
    let count = 0;
    while (s + count < this.#subject.length && this.#matchSingle(s + count, p, end)) count++;
    for (; count >= 0; count--) {
      const result = this.#match(s + count, end + 1);
      if (result >= 0) return result;
    }
    return -1;
  }

  #expandLeast(start: number, p: number, end: number): number {
    for (let s = start; ; s++) {
      const result = this.#match(s, end + 1);
      if (result >= 0) return result;
      if (s >= this.#subject.length || !this.#matchSingle(s, p, end)) return -1;
    }
  }

  #startCapture(s: number, p: number, length: number): number {
    if (this.level >= MAX_CAPTURES) throwNativeError('too many captures');
    this.#starts[this.level] = s;
    this.#lengths[this.level] = length;
    this.level++;
    const result = this.#match(s, p);
    if (result < 0) this.level--;
    return result;
  }

  #endCapture(s: number, p: number): number {
    const index = this.#captureToClose();
    this.#lengths[index] = s - (this.#starts[index] ?? 0);
    const result = this.#match(s, p);
    if (result < 0) this.#lengths[index] = UNFINISHED;
    return result;
  }

  #captureToClose(): number {
    for (let index = this.level - 1; index >= 0; index--) {
      if (this.#lengths[index] === UNFINISHED) return index;
    }
    return throwNativeError('invalid pattern capture');
  }

  #matchCapture(s: number, digit: number): number {
    const index = digit - 49;
    const length = this.#lengths[index] ?? UNFINISHED;
    if (index < 0 || index >= this.level || length === UNFINISHED) {
      throwNativeError('invalid capture index');
    }
    const from = this.#starts[index] ?? 0;
    // A position capture has length -2, huge as C's size_t: it never matches.
    if (length === POSITION || this.#subject.length - s < length) return -1;
    const captured = this.#subject.slice(from, from + length);
    return this.#subject.startsWith(captured, s) ? s + length : -1;
  }
}

/** Whether a plain search finds what the pattern means: no special character before a zero byte. */
export function isPlainPattern(pattern: string): boolean {
  const end = pattern.indexOf('\0');
  return !/[\^$*+?.([%-]/.test(end < 0 ? pattern : pattern.slice(0, end));
}

function isInClass(code: number, classCode: number): boolean {
  const isIn = isInLowerClass(code, classCode | 32);
  const isLetter = (classCode | 32) >= 97 && (classCode | 32) <= 122;
  if (isIn === undefined || !isLetter) return classCode === code;
  return (classCode & 32) !== 0 ? isIn : !isIn;
}

function isInLowerClass(code: number, classCode: number): boolean | undefined {
  switch (classCode) {
    case 97:
      return isAlpha(code);
    case 99:
      return code < 32 || code === 127;
    case 100:
      return code >= 48 && code <= 57;
    case 108:
      return code >= 97 && code <= 122;
    case 112:
      return code > 32 && code < 127 && !isAlpha(code) && !(code >= 48 && code <= 57);
    case 115:
      return code === 32 || (code >= 9 && code <= 13);
    case 117:
      return code >= 65 && code <= 90;
    case 119:
      return isAlpha(code) || (code >= 48 && code <= 57);
    case 120:
      return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102);
    case 122:
      return code === 0;
    default:
      return undefined;
  }
}

function isAlpha(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122 && code < 128;
}
