#!/usr/bin/env node
// The `weir` command. The platform is wrapped before anything under test can be loaded.

import '../sim/kernel/platform.ts';
import { runProgram } from './main.ts';

// Whoever reads the output may stop reading (`| head`): then there is nothing left to say.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await runProgram(process.argv.slice(2));
