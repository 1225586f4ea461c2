// Traces: one run as a file of JSON Lines, so that it can be run again on any machine. The header
// holds the scenario in full, and a replay runs that; the events, the verdict and the digests say
// what happened then, for people to read and for a replay to compare with.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import type { HistoryEvent } from './history.ts';
import type { Violation } from './invariant.ts';
import { TraceError } from './trace-error.ts';
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
    throw new TraceError({ file, line: 1, path: '(the file)', value: '', expected: 'a trace' });
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
  return { header, events, violations, digests };
}

/** Reads a trace file. @throws TraceError, also when the file cannot be read */
export function readTrace(file: string): Trace {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const value = cause instanceof Error && 'code' in cause ? cause.code : String(cause);
    const expected = 'a trace file that can be read';
    throw new TraceError({ file, line: 1, path: '(the file)', value, expected }, { cause });
  }
  return parseTrace(text, { file });
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
      throw new TraceError(
        { file, line: number, path: '(the line)', value: content, expected },
        { cause },
      );
    }
  }
  return lines;
}

function decode<S extends z.ZodType>(schema: S, line: Line, file: string): z.infer<S> {
  const result = schema.safeParse(line.data);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  throw new TraceError({
    file,
    line: line.number,
    path: formatPath(path),
    value: valueAt(line.data, path),
    expected: (issue?.message ?? 'valid data').replace(/^Invalid input: expected /, ''),
  });
}

function typeOf(data: unknown): unknown {
  return valueAt(data, ['type']);
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const step of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  return value;
}

function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return text.join('').replace(/^\./, '') || '(the line)';
}
