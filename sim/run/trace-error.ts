// The one error of a trace file that cannot be used: it names file, line, the place in that line,
// what stands there and what was expected, or says the whole problem where no value is to blame.

export interface TracePlace {
  readonly file: string;
  /** From 1; 0: the file as a whole, which cannot be read. */
  readonly line: number;
  /** The place within the line's JSON, such as `scenario.faults[2].host`; empty: all of it. */
  readonly path: string;
  readonly value: unknown;
  /** What would have been right, as a phrase. */
  readonly expected: string;
  /** Said in place of value and expectation, such as `there is no such file`. */
  readonly problem?: string;
}

export class TraceError extends Error implements TracePlace {
  readonly code = 'invalid-trace';
  readonly file: string;
  readonly line: number;
  readonly path: string;
  readonly value: unknown;
  readonly expected: string;

  constructor(place: TracePlace, options?: ErrorOptions) {
    const where = place.line === 0 ? place.file : `${place.file}:${place.line}`;
    super(`${where}: ${describePlace(place)}`, options);
    this.name = 'TraceError';
    this.file = place.file;
    this.line = place.line;
    this.path = place.path;
    this.value = place.value;
    this.expected = place.expected;
  }
}

function describePlace({ path, value, expected, problem }: TracePlace): string {
  if (problem !== undefined) return path === '' ? problem : `${path}: ${problem}`;
  const found = value === undefined ? 'missing' : describeValue(value);
  return `${path || 'the line'} is ${found}, expected ${expected}`;
}

const longestValueShown = 80;

function describeValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= longestValueShown ? text : `${text.slice(0, longestValueShown)}…`;
}
