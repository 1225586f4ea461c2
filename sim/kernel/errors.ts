// The two ways in which the harness itself fails. Neither says anything about the code under test
// being right or wrong: a run that ends in one of them has no verdict.

export type HarnessErrorCode =
  /** Promises cannot be drained synchronously from here; every result would be silently empty. */
  | 'cannot-drain'
  /** Code of the harness (the world host) threw, or left a rejection unhandled. */
  | 'world-failure'
  /** The kernel was used in a way it does not support, such as starting one run twice. */
  | 'misuse';

/** The simulator failed, not the code under test. `cause` is what it failed with, if anything. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
  readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Code under test reached for something the simulator does not own: a file, a real socket, a thread.
 * The run is worthless, as it would differ on another machine. `escaped` is the stack that did it.
 */
export class EscapeError extends Error {
  override readonly name = 'EscapeError';
  readonly code = 'escape';
  /** What was reached for: an async resource type of Node, or the name of a function. */
  readonly what: string;
  readonly host: string;
  readonly escaped: string;

  constructor(what: string, host: string, escaped: string) {
    super(
      `Code on host ${host} left the simulation through ${what}; preload what it needs before the run.\n${escaped}`,
    );
    this.what = what;
    this.host = host;
    this.escaped = escaped;
  }
}
