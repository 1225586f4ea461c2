// The built command, in processes of its own: what no test inside one process can show.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const program = fileURLToPath(new URL('../dist/bin/weir.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'weir-built-'));
afterAll(() => rmSync(folder, { recursive: true }));

function weir(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CI: '' },
  });
  return { status, stdout, stderr };
}

const documentSchema = z.looseObject({
  digest: z.string(),
  seeds: z.int(),
  violations: z.array(
    z.looseObject({ invariant: z.string(), trace: z.string(), message: z.string() }),
  ),
});

const read = (text: string) => documentSchema.parse(JSON.parse(text));

/** A subject whose check runs this code. */
function subject(name: string, imports: string, code: string): string {
  const text = `${imports}
  export default {
    name: '${name}',
    createHost: () => ({
      async check() {
        ${code}
        return { allowed: false };
      },
      close: async () => {},
    }),
  };`;
  writeFileSync(join(folder, `${name}.mjs`), text);
  return `./${name}.mjs`;
}

describe.skipIf(!existsSync(program))('the built command', () => {
  it('gives one digest in two processes, with one job and two, under both drives', () => {
    const base = ['check', '--seed', '7', '--seeds', '2', '--json'];
    const digests = [[], ['--jobs', '1'], ['--jobs', '2'], ['--drive', 'turns']].map((how) => {
      const { status, stdout } = weir(...base, ...how);
      expect(status).toBe(0);
      return read(stdout).digest;
    });
    expect(new Set(digests).size).toBe(1);
  });

  it('catches a mutant, keeps its trace, and replays it to the same invariant', () => {
    const found = weir('check', '--mutant', 'no-ttl', '--shrink', '5', '--json');
    expect(found.status).toBe(1);
    const [violation] = read(found.stdout).violations;
    expect(violation?.trace).toMatch(/^\.weir\/failures\/no-ttl\/[a-z-]+\/\d+\.jsonl$/);
    const replayed = weir('replay', violation?.trace ?? '', '--verbose');
    expect(replayed.status).toBe(1);
    expect(replayed.stdout).toContain('The run starts:');
    expect(replayed.stdout).toContain(`still fails (expected: fails ${violation?.invariant})`);
  });

  it.each([
    ['reads-file', "import { readFileSync } from 'node:fs';", "readFileSync('/etc/hostname');"],
    [
      'reads-later',
      "import { readFile } from 'node:fs/promises';",
      "await readFile('/etc/hostname');",
    ],
    ['imports-lazily', '', "await import('./lazy.mjs');"],
    ['opens-socket', "import { createSocket } from 'node:dgram';", "createSocket('udp4').bind(0);"],
  ])('ends with exit code 3 and the stack when a subject %s in a run', (name, imports, code) => {
    writeFileSync(join(folder, 'lazy.mjs'), 'export const late = 1;');
    const { status, stderr } = weir(
      'check',
      '--subject',
      subject(name, imports, code),
      '--seeds',
      '1',
    );
    expect(status, stderr).toBe(3);
    expect(stderr).toContain(`${name}.mjs`);
  });

  it('says on a terminal’s error stream nothing while it works', () => {
    expect(weir('check', '--seeds', '1').stderr).toBe('');
  });
});
