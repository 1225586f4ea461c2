// Compiles the TypeScript to dist and copies the Lua texts, which ship as files beside it. A Lua text
// that does not compile ends the build: nothing else would say so before the store is asked to run it.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
process.exitCode = compileTypeScript();
if (process.exitCode === 0) {
  cpSync(join(root, 'impl', 'lua'), join(root, 'dist', 'impl', 'lua'), { recursive: true });
  // The compiler writes plain files; `npx weir` runs this one as a program.
  chmodSync(join(root, 'dist', 'bin', 'weir.js'), 0o755);
  process.exitCode = await checkLua();
}

function compileTypeScript() {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const compiler = join(typescript, 'bin', 'tsc');
  return spawnSync(process.execPath, [compiler, '-p', root], { stdio: 'inherit' }).status ?? 1;
}

/** Compiles each Lua text as the simulated store would. Gives the exit code. */
async function checkLua() {
  const { compileChunk } = await import('../dist/sim/lua/index.js');
  let exitCode = 0;
  for (const name of readdirSync(join(root, 'impl', 'lua')).filter((file) =>
    file.endsWith('.lua'),
  )) {
    try {
      compileChunk(readFileSync(join(root, 'impl', 'lua', name), 'latin1'), '@user_script');
    } catch (error) {
      // Lua says `user_script:LINE: what is wrong`.
      const message = String(error.message).replace(/^user_script:/, `impl/lua/${name}:`);
      process.stderr.write(`weir: ${message}\n`);
      exitCode = 1;
    }
  }
  return exitCode;
}
