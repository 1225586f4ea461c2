// What the command itself says on standard output. Nothing else may speak there: a limiter under
// test that prints would corrupt the document of `--json`, so its words go to the error stream.

const { stdout, stderr } = process;
let write: ((text: string) => void) | undefined;

/** Prints a text and a line feed. */
export function print(text: string): void {
  if (write === undefined) stdout.write(`${text}\n`);
  else write(`${text}\n`);
}

/**
 * Sends everything that others write to standard output to the error stream, from this thread and
 * from the threads of a campaign, which write through this one. For the whole life of the process.
 */
export function divertOthers(): void {
  const original = stdout.write.bind(stdout);
  write = (text) => original(text);
  stdout.write = (chunk: string | Uint8Array) => {
    stderr.write(chunk);
    // A thread's stream would otherwise wait for standard output to drain, which it never had to.
    return true;
  };
}

/** Whoever reads the output may stop reading (`| head`): then there is nothing left to say. */
export function endWithReader(): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
}
