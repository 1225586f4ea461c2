// Reads the ends of ranges over sorted sets: by score, by member or by rank.

import { ErrorReply, notAnInteger } from '../reply.ts';
import { parseBoundDouble } from '../values/doubles.ts';
import type { MemberBound, ScoreBound, SortedSet } from '../values/sorted-set.ts';
import { readOffset } from './reads.ts';

/** Positions from `start` up to but not including `end`, in ascending order. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A range whose ends are read before the key is looked at. */
export type Range = (set: SortedSet) => Span;

export type RangeKind = 'rank' | 'score' | 'member';

/** `min` and `max` in this order, also for reversed commands, but ranks count in their direction. */
export function readRange(
  kind: RangeKind,
  min: string,
  max: string,
  isReversed: boolean,
): Range | ErrorReply {
  if (kind === 'rank') return readRankRange(min, max, isReversed);
  return kind === 'score' ? readScoreRange(min, max) : readMemberRange(min, max);
}

export function readScoreRange(minText: string, maxText: string): Range | ErrorReply {
  const min = readScoreBound(minText);
  const max = readScoreBound(maxText);
  if (min === undefined || max === undefined)
    return new ErrorReply('ERR min or max is not a float');
  return (set) => ({ start: set.countBelowMin(min), end: set.countUpToMax(max) });
}

export function readMemberRange(minText: string, maxText: string): Range | ErrorReply {
  const min = readMemberBound(minText);
  const max = readMemberBound(maxText);
  if (min === undefined || max === undefined) {
    return new ErrorReply('ERR min or max not valid string range item');
  }
  return (set) => ({ start: set.countBelowMinMember(min), end: set.countUpToMaxMember(max) });
}

export function readRankRange(
  startText: string,
  endText: string,
  isReversed: boolean,
): Range | ErrorReply {
  const start = readOffset(startText);
  const end = readOffset(endText);
  if (start instanceof ErrorReply || end instanceof ErrorReply) return notAnInteger;
  return ({ size }) => {
    const first = Math.max(0, start < 0 ? size + start : start);
    const last = Math.min(size - 1, end < 0 ? size + end : end);
    if (first > last) return { start: 0, end: 0 };
    return isReversed
      ? { start: size - 1 - last, end: size - first }
      : { start: first, end: last + 1 };
  };
}

function readScoreBound(text: string): ScoreBound | undefined {
  const isExclusive = text.startsWith('(');
  const score = parseBoundDouble(isExclusive ? text.slice(1) : text);
  return score === undefined ? undefined : { score, isExclusive };
}

function readMemberBound(text: string): MemberBound | undefined {
  if (text === '-') return { kind: 'first', text: '', isExclusive: false };
  if (text === '+') return { kind: 'last', text: '', isExclusive: false };
  const sign = text[0];
  if (sign !== '(' && sign !== '[') return undefined;
  return { kind: 'text', text: text.slice(1), isExclusive: sign === '(' };
}
