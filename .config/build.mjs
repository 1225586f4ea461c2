// Compiles the TypeScript to dist and copies the Lua texts, which ship as files beside it.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
const compiler = join(typescript, 'bin', 'tsc');
rmSync(join(root, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', root], { stdio: 'inherit' });
if (status === 0) {
  cpSync(join(root, 'impl', 'lua'), join(root, 'dist', 'impl', 'lua'), { recursive: true });
}
process.exitCode = status ?? 1;
