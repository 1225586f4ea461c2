// Bad usage and bad input: one message that names the file (or flag), the path inside it, the value
// and what was expected. Every other error is a fault of the harness. The exit codes are decided
// here, for all commands.

import type { z } from 'zod';
import { type Complaint, describeIssue } from '../sim/run/trace-issue.ts';

export const EXIT = {
  holds: 0,
  propertyFailed: 1,
  badInput: 2,
  harnessFault: 3,
  interrupted: 130,
} as const;

/** Where a piece of input is wrong, and how. */
export interface PlacedError extends Complaint {
  /** A file, or the flag or command whose value it is. */
  readonly file: string;
}

export class InputError extends Error implements PlacedError {
  readonly code = 'invalid-input';
  readonly file: string;
  readonly path: string;
  readonly value: unknown;
  readonly expected: string;

  constructor(place: PlacedError) {
    super(formatPlace(place));
    this.file = place.file;
    this.path = place.path;
    this.value = place.value;
    this.expected = place.expected;
  }
}

/** The first complaint of a schema as an input error. */
export function fromIssues(file: string, input: unknown, error: z.ZodError): InputError {
  return new InputError({ file, ...describeIssue(input, error) });
}

/** What to print for an error that ended a command, and the exit code. */
export function describeError(error: unknown): { message: string; exitCode: number } {
  if (!(error instanceof Error)) return { message: String(error), exitCode: EXIT.harnessFault };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Every parser in this repository says what is wrong with its input under such a code.
  const isInput = code.startsWith('invalid-') || code === 'client-missing';
  if (isInput) return { message: escapeBytes(error.message), exitCode: EXIT.badInput };
  return { message: error.stack ?? error.message, exitCode: EXIT.harnessFault };
}

/** Input may hold anything, and a terminal obeys some of it: what is not text is shown as an escape. */
function escapeBytes(text: string): string {
  return text.replace(/[^\P{C}\n]|\uFFFD/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** The format of policies and traces, too. */
function formatPlace({ file, path, value, expected, problem }: PlacedError): string {
  if (problem !== undefined) return `${file}: ${path === '' ? '' : `${path}: `}${problem}`;
  const found = value === undefined ? 'missing' : formatValue(value);
  return `${file}: ${path || 'all of it'} is ${found}, expected ${expected}`;
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : safeJson(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
