#!/usr/bin/env node
// The `weir` command. The platform is wrapped before anything under test can be loaded.

import '../sim/kernel/platform.ts';
import { runProgram } from './main.ts';
import { divertOthers, endWithReader } from './output.ts';

endWithReader();
divertOthers();
await runProgram(process.argv.slice(2));
