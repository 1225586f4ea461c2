// What a schema found wrong, as this repository says it: the place, the value that stands there and
// what was expected, or a whole sentence where no value is to blame. Used for traces and by the
// command for scenarios, so that all input is refused in one format.

import type { z } from 'zod';

export interface Complaint {
  /** The place in the input, such as `faults[2].host`; empty: all of it. */
  readonly path: string;
  readonly value: unknown;
  /** What would have been right, as a phrase. */
  readonly expected: string;
  /** Says all of it in place of value and expectation. */
  readonly problem?: string;
}

type Issue = z.core.$ZodIssue;

/** The first complaint of a schema; the others often follow from it. */
export function describeIssue(input: unknown, error: z.ZodError): Complaint {
  const [issue] = error.issues;
  if (issue === undefined) return { path: '', value: input, expected: 'valid data' };
  const path = formatPath(issue.path);
  const value = valueAt(input, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const problem = `unknown key ${JSON.stringify(key)}`;
    return { path, value, expected: 'only known keys', problem };
  }
  if (issue.code === 'invalid_key') {
    // The name of the field itself is wrong; what stands there does not matter.
    const name = String(issue.path.at(-1));
    const expected = issue.issues[0]?.message ?? 'a valid name';
    const problem = `unknown key ${JSON.stringify(name)}, expected ${expected}`;
    return { path: formatPath(issue.path.slice(0, -1)), value, expected, problem };
  }
  return { path, value, expected: describeExpectation(issue) };
}

/** The value at a path; undefined where the path leads nowhere. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  return value;
}

/** As one writes it in JavaScript: `faults[2].host`. */
export function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return text.join('').replace(/^\./, '');
}

const names: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
};

/** A phrase; the messages that a schema of ours brings along are phrases already. */
function describeExpectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return /^Invalid input/.test(issue.message)
        ? (names[issue.expected] ?? issue.expected)
        : issue.message;
    case 'invalid_value':
      return /^Invalid/.test(issue.message) ? listValues(issue.values) : issue.message;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? listValues(issue.options)
        : issue.message;
    case 'too_small':
      return describeBound(issue.origin, 'at least', Number(issue.minimum), issue.inclusive);
    case 'too_big':
      return describeBound(issue.origin, 'at most', Number(issue.maximum), issue.inclusive);
    default:
      return issue.message;
  }
}

function listValues(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value) ?? String(value));
  return texts.length === 1 ? (texts[0] ?? '') : `one of ${texts.join(', ')}`;
}

function describeBound(
  origin: string,
  side: 'at least' | 'at most',
  bound: number,
  isInclusive = true,
): string {
  if (origin === 'string') return `${side} ${bound} ${bound === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `${side} ${bound} ${bound === 1 ? 'item' : 'items'}`;
  if (isInclusive) return `a number of ${side} ${bound}`;
  return `a number ${side === 'at least' ? 'above' : 'below'} ${bound}`;
}
