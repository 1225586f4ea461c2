// The one complaint about a subject: outside data in the wrong shape. It says where and what was
// expected, as every parser of this repository does.

/** A subject that cannot be had: wrong name, file that does not load, wrong shape. */
export class SubjectError extends Error {
  readonly code = 'invalid-subject';
  readonly file: string;
  readonly path: string;
  readonly value: string;
  readonly expected: string;

  constructor(o: {
    file: string;
    path?: string;
    value: string;
    expected: string;
    cause?: unknown;
  }) {
    super(`${o.file}: ${o.path ?? 'default'}: ${o.value}: expected ${o.expected}`, {
      cause: o.cause,
    });
    this.file = o.file;
    this.path = o.path ?? 'default';
    this.value = o.value;
    this.expected = o.expected;
  }
}
