// The one error a policy document can cause. It names the place, so that a message is enough to
// mend the file: which file, where in it, what stands there, what was expected.

/** A policy document that cannot be used. Thrown by `parsePolicies`, never at check time. */
export class PolicyError extends Error {
  readonly code = 'invalid-policy';
  /** The file's name as the caller gave it. */
  readonly file: string;
  /** The place in it, such as `limits[0].rate`, or `line 3, column 5` of a text that is no YAML. */
  readonly path: string;
  /** What stands there; `undefined` where something is missing. */
  readonly value: unknown;
  /** What would have been right, as a phrase. */
  readonly expected: string;

  constructor(details: { file: string; path: string; value: unknown; expected: string }) {
    const found = details.value === undefined ? 'missing' : describeValue(details.value);
    super(`${details.file}: ${details.path} is ${found}, expected ${details.expected}`);
    this.name = 'PolicyError';
    this.file = details.file;
    this.path = details.path;
    this.value = details.value;
    this.expected = details.expected;
  }
}

const LONGEST_VALUE_SHOWN = 80;

function describeValue(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length <= LONGEST_VALUE_SHOWN ? text : `${text.slice(0, LONGEST_VALUE_SHOWN)}…`;
}
