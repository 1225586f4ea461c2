// Reads access logs in the combined format of Apache and nginx (the common format, which lacks
// referer and agent, too). Real logs hold lines that are cut off or out of order: the former are
// counted and left out, the latter counted and sorted. Time stamps have whole seconds; the lines of
// one second are spread evenly over it.

import { parseLogTime } from './log-time.ts';

export interface AccessLogEntry {
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly address: string;
  /** The authenticated user; undefined where the log has `-`. */
  readonly user: string | undefined;
  readonly method: string;
  /** The request's path without its query. */
  readonly path: string;
  readonly agent: string | undefined;
}

export interface AccessLog {
  /** In order of time. */
  readonly entries: readonly AccessLogEntry[];
  readonly lines: number;
  readonly malformed: number;
  /** Lines that are earlier than one before them. */
  readonly unordered: number;
}

/** A log that cannot be used at all. The message names the file. */
export class AccessLogError extends Error {
  readonly code = 'invalid-log';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}`, options);
    this.file = file;
  }
}

/**
 * Parses a log's text.
 *
 * @throws AccessLogError when not one line is in the combined or common format.
 */
export function readAccessLog(text: string, options: { readonly file: string }): AccessLog {
  const { file } = options;
  const parsed: AccessLogEntry[] = [];
  let lines = 0;
  let unordered = 0;
  let latestMs = Number.NEGATIVE_INFINITY;
  let firstBad: { readonly line: number; readonly text: string } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    lines += 1;
    const entry = parseLine(line);
    if (entry === undefined) {
      firstBad ??= { line: index + 1, text: line };
      continue;
    }
    if (entry.atMs < latestMs) unordered += 1;
    latestMs = Math.max(latestMs, entry.atMs);
    parsed.push(entry);
  }
  if (parsed.length === 0) throw describeUnusable(file, firstBad);
  // The sort is stable: lines of one second keep the order they have in the file.
  parsed.sort((one, other) => one.atMs - other.atMs);
  return {
    entries: spreadSeconds(parsed),
    lines,
    malformed: lines - parsed.length,
    unordered,
  };
}

const expectedFormat =
  'a line in combined log format: address ident user [time] "METHOD path HTTP/x" status bytes "referer" "agent"';

function describeUnusable(
  file: string,
  firstBad: { readonly line: number; readonly text: string } | undefined,
): AccessLogError {
  if (firstBad === undefined) return new AccessLogError(file, 'the log holds no lines.');
  const shown = firstBad.text.length > 80 ? `${firstBad.text.slice(0, 80)}…` : firstBad.text;
  return new AccessLogError(
    `${file}:${firstBad.line}`,
    `expected ${expectedFormat}; got ${JSON.stringify(shown)}, and no other line fits.`,
  );
}

/** Quoted fields may hold a quote or a backslash after a backslash. */
const quoted = String.raw`"((?:[^"\\]|\\.)*)"`;
const linePattern = new RegExp(
  String.raw`^(\S+) (\S+) (\S+) \[([^\]]+)\] ${quoted} (?:\d{3}|-) (?:\d+|-)(?: ${quoted} ${quoted})?`,
);
const requestPattern = /^([A-Z][A-Z_-]{0,19}) (\S+)(?: HTTP\/[\d.]+)?$/;

function parseLine(line: string): AccessLogEntry | undefined {
  const fields = linePattern.exec(line);
  if (fields === null) return undefined;
  const [, address = '', , user = '', time = '', request = '', , agent] = fields;
  const atMs = parseLogTime(time);
  const [, method, target] = requestPattern.exec(request) ?? [];
  if (atMs === undefined || method === undefined || target === undefined) return undefined;
  return {
    atMs,
    address,
    user: user === '-' ? undefined : user,
    method,
    path: pathOf(target),
    agent: agent === '-' ? undefined : agent,
  };
}

/** The path of a request target; those without one (`*`, an authority) count as the root. */
function pathOf(target: string): string {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  return path.startsWith('/') ? path : '/';
}

/** The k-th of n lines of one second lies k/n into it, in whole milliseconds. */
function spreadSeconds(sorted: readonly AccessLogEntry[]): AccessLogEntry[] {
  const counts = new Map<number, number>();
  for (const { atMs } of sorted) counts.set(atMs, (counts.get(atMs) ?? 0) + 1);
  const seen = new Map<number, number>();
  return sorted.map((entry) => {
    const place = seen.get(entry.atMs) ?? 0;
    seen.set(entry.atMs, place + 1);
    const offsetMs = Math.floor((1000 * place) / (counts.get(entry.atMs) ?? 1));
    return { ...entry, atMs: entry.atMs + offsetMs };
  });
}
