// Traces: one run as a file of JSON Lines, so that it can be run again on any machine. The header
// holds the scenario in full, and a replay runs that; the events, the verdict and the digests say
// what happened then, for people to read and for a replay to compare with.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import type { HistoryEvent } from './history.ts';
import type { Violation } from './invariant.ts';
import { TraceError } from './trace-error.ts';
import { describeIssue, valueAt } from './trace-issue.ts';
import {
  digestsLineSchema,
  eventLineSchema,
  headerSchema,
  type TraceEvent,
  type TraceHeader,
  type TraceViolation,
  traceFormat,
  verdictLineSchema,
} from './trace-schema.ts';

export { TraceError } from './trace-error.ts';
export type { TraceEvent, TraceHeader, TraceViolation } from './trace-schema.ts';

export interface TraceDigests {
  readonly history: string;
  readonly verdict: string;
}

/** A trace as read from a file. */
export interface Trace {
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
  readonly violations: readonly TraceViolation[];
  /** Absent in a trace that was written by hand. */
  readonly digests: TraceDigests | undefined;
}

/** What a trace is written from; `type` and `format` are the writer's. */
export interface TraceSource {
  readonly header: Omit<TraceHeader, 'type' | 'format'>;
  readonly events: readonly HistoryEvent[];
  readonly violations: readonly Violation[];
  readonly digests: TraceDigests;
}

/** The text of a trace file. */
export function formatTrace(source: TraceSource): string {
  const lines: unknown[] = [{ type: 'header', format: traceFormat, ...source.header }];
  for (const event of source.events) lines.push({ type: 'event', event: shorten(event) });
  lines.push({ type: 'verdict', violations: source.violations });
  lines.push({ type: 'digests', ...source.digests });
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** The scenario is in the header already, and a policy document in the scenario. */
function shorten(event: HistoryEvent): unknown {
  if (event.kind === 'run-started') return { kind: event.kind, atUs: event.atUs };
  if (event.kind !== 'check-started') return event;
  const { policies: _, ...rest } = event;
  return rest;
}

/**
 * Parses a trace file's text.
 *
 * @param options.file the name to show in errors
 * @throws TraceError naming file, line, path, value and what was expected
 */
export function parseTrace(text: string, options: { readonly file: string }): Trace {
  const { file } = options;
  const [first, ...rest] = readLines(text, file);
  if (first === undefined) {
    const problem = 'the file is empty, expected a trace';
    throw new TraceError({ file, line: 0, path: '', value: '', expected: 'a trace', problem });
  }
  const header = decode(headerSchema, first, file);
  const events: TraceEvent[] = [];
  let violations: readonly TraceViolation[] = [];
  let digests: TraceDigests | undefined;
  for (const line of rest) {
    switch (typeOf(line.data)) {
      case 'event':
        events.push(decode(eventLineSchema, line, file).event);
        break;
      case 'verdict':
        violations = decode(verdictLineSchema, line, file).violations;
        break;
      case 'digests':
        digests = decode(digestsLineSchema, line, file);
        break;
      default:
    }
  }
  if (digests === undefined) refuseCut(header, rest, file);
  return { header, events, violations, digests };
}

/**
 * Only a trace that was written by hand may lack its end: it is a header and nothing more. What a
 * program wrote says which code ran, and ends with the digests.
 */
function refuseCut(header: TraceHeader, rest: readonly Line[], file: string): void {
  if (rest.length === 0 && header.codeDigest === undefined) return;
  const line = rest.at(-1)?.number ?? 1;
  const expected = 'a line of digests at the end';
  const problem = 'the trace has no end: it was cut';
  throw new TraceError({ file, line, path: '', value: undefined, expected, problem });
}

/** Reads a trace file. @throws TraceError, also when the file cannot be read */
export function readTrace(file: string): Trace {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const value = cause instanceof Error && 'code' in cause ? cause.code : String(cause);
    const expected = 'a trace file that can be read';
    const problem = describeUnreadable(value);
    throw new TraceError({ file, line: 0, path: '', value, expected, problem }, { cause });
  }
  return parseTrace(text, { file });
}

/** Why a file cannot be read, in words. @param code of the system's error, such as `ENOENT` */
export function describeUnreadable(code: unknown): string {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EISDIR':
      return 'this is a folder, not a file';
    case 'EACCES':
      return 'the file may not be read';
    default:
      return `the file cannot be read (${String(code)})`;
  }
}

/** Writes a trace file whole or not at all; folders that are missing are made. */
export function writeTrace(file: string, source: TraceSource): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, formatTrace(source));
  renameSync(unfinished, file);
}

interface Line {
  readonly number: number;
  readonly data: unknown;
}

function readLines(text: string, file: string): Line[] {
  const lines: Line[] = [];
  for (const [index, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    const number = index + 1;
    try {
      lines.push({ number, data: JSON.parse(content) });
    } catch (cause) {
      const expected = 'one JSON object a line';
      throw new TraceError({ file, line: number, path: '', value: content, expected }, { cause });
    }
  }
  return lines;
}

function decode<S extends z.ZodType>(schema: S, line: Line, file: string): z.infer<S> {
  const result = schema.safeParse(line.data);
  if (result.success) return result.data;
  const complaint = describeIssue(line.data, result.error);
  throw new TraceError({ file, line: line.number, ...complaint });
}

function typeOf(data: unknown): unknown {
  return valueAt(data, ['type']);
}
