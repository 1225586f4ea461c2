// Keeps a subject from ending the process or thread it runs in: everything would stop without a word.
// During a run the call is a fault of that run; everywhere it throws.

import { registry } from '../../sim/kernel/registry.ts';
import { defineValue } from '../../sim/kernel/replace.ts';

/** A subject called `process.exit`. */
export class SubjectExitError extends Error {
  readonly code = 'subject-exits';

  constructor(host: string, exitCode: unknown) {
    super(
      `The limiter on ${host} called process.exit(${String(exitCode ?? '')}); a subject must not end its process.`,
    );
  }
}

/** Replaces `process.exit` until the returned function is called. */
export function refuseExit(): () => void {
  const { exit } = process;
  defineValue(process, 'exit', (exitCode?: unknown): never => {
    const kernel = registry.active;
    const error = new SubjectExitError(kernel?.host.name ?? 'the main thread', exitCode);
    if (kernel !== undefined) kernel.fault ??= error;
    throw error;
  });
  return () => defineValue(process, 'exit', exit);
}
