// The program: its commands, and how their errors become messages and exit codes.

import { Command, CommanderError } from 'commander';
import { createCheckCommand } from './check.ts';
import { describeError, EXIT } from './input-error.ts';
import { createReplayCommand } from './replay.ts';

const help = `
Exit codes: 0 all properties hold; 1 a property failed; 2 bad usage or input; 3 the harness failed
(an escape from the simulation, nondeterminism, a campaign that proves too little).`;

/** Runs the command that the words name. Never throws; the exit code is set on the process. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = new Command('weir')
    .description('Checks rate limiters in a deterministic simulation of everything around them.')
    .addHelpText('after', help)
    .exitOverride();
  for (const command of [createCheckCommand(), createReplayCommand()]) {
    program.addCommand(command.exitOverride());
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has printed its message, or the help that was asked for.
    return error.exitCode === 0 ? EXIT.holds : EXIT.badInput;
  }
  const { message, exitCode } = describeError(error);
  process.stderr.write(`weir: ${message}\n`);
  return exitCode;
}
