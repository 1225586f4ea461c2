// Bad usage and bad input: one message that names the file (or flag), the path inside it, the value
// and what was expected. Every other error is a fault of the harness. The exit codes are decided
// here, for all commands.

import type { z } from 'zod';

export const EXIT = {
  holds: 0,
  propertyFailed: 1,
  badInput: 2,
  harnessFault: 3,
  interrupted: 130,
} as const;

/** Where a piece of input is wrong. */
export interface PlacedError {
  readonly file: string;
  readonly path: string;
  readonly value: unknown;
  readonly expected: string;
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

/** The first complaint of a schema as an input error; the other complaints often follow from it. */
export function fromIssues(file: string, input: unknown, error: z.ZodError): InputError {
  const issue = error.issues[0];
  const path = issue?.path ?? [];
  let value: unknown = input;
  for (const step of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  // The library's own messages begin with words that the frame of ours says already.
  const expected = (issue?.message ?? 'valid data').replace(/^Invalid input: expected /, '');
  return new InputError({
    file,
    path: path.map(String).join('.') || '(all of it)',
    value,
    expected,
  });
}

/** What to print for an error that ended a command, and the exit code. */
export function describeError(error: unknown): { message: string; exitCode: number } {
  if (!(error instanceof Error)) return { message: String(error), exitCode: EXIT.harnessFault };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Every parser in this repository says what is wrong with its input under such a code.
  const isInput = code.startsWith('invalid-') || code === 'client-missing';
  if (isInput) return { message: error.message, exitCode: EXIT.badInput };
  return { message: error.stack ?? error.message, exitCode: EXIT.harnessFault };
}

function formatPlace({ file, path, value, expected }: PlacedError): string {
  return `${file}: at ${path}: got ${formatValue(value)}, expected ${expected}`;
}

function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
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
