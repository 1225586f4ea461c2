// The program: its commands, and how their errors become messages and exit codes.

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { createCheckCommand } from './check.ts';
import { describeError, EXIT } from './input-error.ts';
import { print } from './output.ts';
import { createReplayCommand } from './replay.ts';
import { packagePath } from './trace-files.ts';

const help = `
Exit codes: 0 all properties hold; 1 a property failed; 2 bad usage or input; 3 the harness failed
(an escape from the simulation, nondeterminism, a campaign that proves too little); 130 interrupted.`;

/** Commander's words, in the way of all others: every complaint begins with `weir: `. */
const output = {
  writeOut: (text: string) => print(text.replace(/\n$/, '')),
  outputError: (text: string, write: (text: string) => void) =>
    write(`weir: ${text.replace(/^error: /, '')}`),
};

function readVersion(): string {
  const text = readFileSync(packagePath('package.json'), 'utf8');
  return z.looseObject({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** Runs the command that the words name. Never throws; the exit code is set on the process. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = new Command('weir')
    .description('Checks rate limiters in a deterministic simulation of everything around them.')
    .addHelpText('after', help)
    .version(readVersion(), '--version', 'print the version')
    .configureOutput(output)
    .exitOverride();
  for (const command of [createCheckCommand(), createReplayCommand()]) {
    program.addCommand(command.configureOutput(output).exitOverride());
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
