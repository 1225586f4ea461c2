// The built command, in processes of its own: what no test inside one process can show.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  pinned: z.object({ replayed: z.int(), skipped: z.int(), failed: z.array(z.unknown()) }),
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

  it('replays a pinned trace before the seeds, and stops when it does not do what it says', () => {
    const [violation] = read(
      weir('check', '--mutant', 'no-ttl', '--shrink', '5', '--json').stdout,
    ).violations;
    const text = readFileSync(join(folder, violation?.trace ?? ''), 'utf8');
    const pinned = join(folder, 'traces', 'key-has-ttl', 'pinned.jsonl');
    mkdirSync(join(folder, 'traces', 'key-has-ttl'), { recursive: true });
    writeFileSync(pinned, text);
    const good = weir('check', '--mutant', 'no-ttl', '--seeds', '1', '--shrink', '0', '--json');
    expect(read(good.stdout).pinned).toEqual({ replayed: 1, skipped: 0, failed: [] });
    expect(read(good.stdout).seeds).toBe(1);

    writeFileSync(pinned, text.replace('"expect":"fails key-has-ttl"', '"expect":"passes"'));
    const bad = weir('check', '--mutant', 'no-ttl', '--seeds', '1', '--shrink', '0', '--json');
    expect(bad.status).toBe(1);
    expect(read(bad.stdout).pinned.failed).toMatchObject([
      {
        file: 'traces/key-has-ttl/pinned.jsonl',
        expect: 'passes',
        status: 'changed',
        violations: [{ invariant: 'key-has-ttl' }],
        replay: 'npx weir replay traces/key-has-ttl/pinned.jsonl',
      },
    ]);
    const told = weir('check', '--mutant', 'no-ttl', '--seeds', '1').stdout;
    expect(told).toMatch(/PINNED TRACE traces.*changed[\s\S]*BROKEN key-has-ttl[\s\S]*last events/);
    expect(told).toContain('npx weir replay traces/key-has-ttl/pinned.jsonl');
    expect(told).not.toMatch(/reached mark|digest/);
    expect(read(bad.stdout).seeds).toBe(0);

    expect(weir('replay', pinned, '--accept').status).toBe(0);
    expect(readFileSync(pinned, 'utf8')).toContain('"expect":"fails key-has-ttl"');
    writeFileSync(pinned, text.replace('"mutant":"no-ttl",', ''));
    const fixed = weir('replay', pinned);
    expect(fixed.status).toBe(0);
    expect(fixed.stdout).toContain('fixed');
    rmSync(join(folder, 'traces'), { recursive: true });
  });

  it.each([
    [
      'reads-file',
      "import { readFileSync } from 'node:fs';",
      "readFileSync('/etc/hostname');",
      /through readFileSync;/,
    ],
    [
      'reads-later',
      "import { readFile } from 'node:fs/promises';",
      "await readFile('/etc/hostname');",
      /through readFile of node:fs\/promises \(FSREQPROMISE\);/,
    ],
    [
      'opens-socket',
      "import { createSocket } from 'node:dgram';",
      "createSocket('udp4').bind(0);",
      /through createSocket of node:dgram \(UDPWRAP\);/,
    ],
  ])(
    'ends with exit code 3, API and stack when a subject %s in a run',
    (name, imports, code, api) => {
      const file = subject(name, imports, code);
      const { status, stderr } = weir('check', '--subject', file, '--seeds', '1');
      expect(status, stderr).toBe(3);
      expect(stderr).toMatch(api);
      expect(stderr.split(`${name}.mjs`), stderr).toHaveLength(2);
    },
  );

  it('ends with exit code 3 and the loader’s stack when a subject imports in a run', () => {
    writeFileSync(join(folder, 'lazy.mjs'), 'export const late = 1;');
    const file = subject('imports-lazily', '', "await import('./lazy.mjs');");
    const { status, stderr } = weir('check', '--subject', file, '--seeds', '1');
    expect(status, stderr).toBe(3);
    expect(stderr).toMatch(/left the simulation.*\n\s+at .*[\s\S]*node:internal\/modules\/esm/);
  });

  it('blames a subject whose failure does not come again', () => {
    const file = subject(
      'fails-once',
      'let checks = 0;',
      "checks += 1; if (checks === 5) throw new Error('once');",
    );
    const { status, stdout, stderr } = weir(
      ...['check', '--subject', file, '--jobs', '1', '--shrink', '0'],
    );
    expect(status, stdout).toBe(3);
    expect(stderr).toMatch(/does not when run again; the subject is not deterministic/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('keeps what a subject prints out of the document', () => {
    const file = subject('prints', "console.log('at load');", "console.log('in a run');");
    const { stdout, stderr } = weir('check', '--subject', file, '--seeds', '1', '--json');
    expect(read(stdout).seeds).toBe(1);
    expect(stderr).toMatch(/at load/);
    expect(stderr).toMatch(/in a run/);
  });

  it('keeps the failure of a subject’s file under the name it gives itself', () => {
    const file = subject('never-settles', '', 'await new Promise(() => {});');
    const { status, stdout } = weir('check', '--subject', file, '--shrink', '0', '--json');
    expect(status).toBe(1);
    const [violation] = read(stdout).violations;
    expect(violation?.trace).toMatch(/^\.weir\/failures\/never-settles\/[a-z-]+\/\d+\.jsonl$/);
    expect(violation).toMatchObject({ replay: `npx weir replay ${violation?.trace}` });
    expect(violation?.['atSeconds']).toBeGreaterThan(0);
  });

  it('tells the finding first, and no table with nothing in it', () => {
    const { stdout } = weir('check', '--mutant', 'no-ttl', '--shrink', '0');
    expect(stdout.indexOf('BROKEN')).toBeLessThan(stdout.indexOf('evaluations'));
    expect(stdout).not.toMatch(/ 0\n/);
    const file = subject(
      'escapes',
      "import { readFileSync } from 'node:fs';",
      "readFileSync('/x');",
    );
    expect(weir('check', '--subject', file, '--seeds', '1').stdout).not.toMatch(
      /digest|evaluations/,
    );
  });

  it('proves nothing, and says so with exit code 3, when no decision was made', () => {
    const { status, stdout } = weir(
      'check',
      '--minutes',
      '0.0000001',
      '--subject',
      subject('idle', '', ''),
    );
    expect(stdout).toContain('the campaign proves nothing: it made no decision');
    expect(status).toBe(3);
  });

  it('says on a terminal’s error stream nothing while it works', () => {
    expect(weir('check', '--seeds', '1').stderr).toBe('');
  });
});
