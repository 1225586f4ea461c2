// Compiles the TypeScript to dist and copies the Lua texts, which ship as files beside it.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', root], { stdio: 'inherit' });
cpSync(join(root, 'impl', 'lua'), join(root, 'dist', 'impl', 'lua'), { recursive: true });
