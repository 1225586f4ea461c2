import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runProgram } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'weir-cli-'));
const home = process.cwd();
afterAll(() => rmSync(folder, { recursive: true }));

let stderr = '';
let stdout = '';

beforeEach(() => {
  [stderr, stdout] = ['', ''];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  process.chdir(home);
});

/** Runs the program in the folder of this test; gives exit code and what was printed. */
async function run(...words: string[]) {
  process.chdir(folder);
  const before = readdirSync(folder);
  await runProgram(words);
  expect(readdirSync(folder), 'nothing is written').toEqual(before);
  return process.exitCode;
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const goodPolicy =
  'limits:\n  - { id: a, key: [tenant], rate: 5/min, protects: x, tolerance: exact }\n';

describe('bad usage and input', () => {
  const cases: [string, () => string[], RegExp][] = [
    ['an unknown flag', () => ['check', '--sedes', '3'], /unknown option '--sedes'/],
    ['an unknown command', () => ['chek'], /unknown command 'chek'/],
    ['a number that is none', () => ['check', '--seeds', '1e3'], /--seeds.*'1e3'.*whole number/],
    ['a client that does not exist', () => ['check', '--client', '4'], /--client.*'4'.*5 or 6/],
    [
      'seeds and minutes',
      () => ['check', '--seeds', '3', '--minutes', '1'],
      /--minutes.*cannot be used with.*--seeds/,
    ],
    [
      'subject and mutant',
      () => ['check', '--subject', 'weir', '--mutant', 'no-ttl'],
      /cannot be used with/,
    ],
    [
      'a policy file that is not there',
      () => ['check', '--policy', 'gone.yaml'],
      /gone\.yaml.*ENOENT/,
    ],
    [
      'a policy file that is not YAML',
      () => ['check', '--policy', file('torn.yaml', 'limits:\n  - { id: a')],
      /torn\.yaml: at line \d+, column \d+/,
    ],
    [
      'a policy with a rate that is none',
      () => ['check', '--policy', file('rate.yaml', goodPolicy.replace('5/min', 'often'))],
      /rate\.yaml: limits\[0\]\.rate is "often", expected /,
    ],
    [
      'a log that is none',
      () => ['check', '--log', file('x.log', 'hello\n')],
      /x\.log:1: expected a line/,
    ],
    [
      'a scenario with a field that is wrong',
      () => ['check', '--scenario', file('s.json', '{"format":1,"seed":-1}')],
      /s\.json: at seed: got -1, expected /,
    ],
    [
      'a subject that is not known',
      () => ['check', '--subject', 'wier'],
      /--subject: name: "wier": expected a file, or one of weir/,
    ],
    [
      'a subject file that is not there',
      () => ['check', '--subject', './gone.mjs'],
      /\.\/gone\.mjs: import/,
    ],
    [
      'a subject file that throws',
      () => ['check', '--subject', `./${file('throws.mjs', 'throw new Error("at load");')}`],
      /throws\.mjs: import: at load/,
    ],
    [
      'a subject file of the wrong shape',
      () => ['check', '--subject', `./${file('shape.mjs', 'export default { name: "x" };')}`],
      /shape\.mjs: default\.createHost: .*a function that creates a host/,
    ],
    [
      'a mutant that is not known',
      () => ['check', '--mutant', 'nott'],
      /--mutant: name: "nott".*--mutant list/,
    ],
    ['a trace that is not there', () => ['replay', 'gone.jsonl'], /gone\.jsonl:1: .*ENOENT/],
    [
      'a trace that is none',
      () => ['replay', file('t.jsonl', '{"type":"header"}')],
      /t\.jsonl:1: /,
    ],
    [
      'neither trace nor seed',
      () => ['replay'],
      /weir replay: at TRACE: got nothing, expected a trace file or --seed/,
    ],
  ];
  it.each(cases)(
    '%s is one message that names the place, and exit code 2',
    async (_, words, message) => {
      const exitCode = await run(...words());
      expect(stderr).toMatch(message);
      expect(exitCode).toBe(2);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(stdout).toBe('');
      expect(existsSync(join(folder, '.weir'))).toBe(false);
    },
  );
});

describe('the program', () => {
  it.each([['--help'], ['check', '--help'], ['replay', '--help']])(
    'explains itself: %s %s',
    async (...words) => {
      expect(await run(...words)).toBe(0);
      expect(stdout).toMatch(/Usage: weir/);
      if (words.length > 1) expect(stdout).toMatch(/Example: weir/);
    },
  );

  it('lists mutants and subjects, one a line with a sentence', async () => {
    await run('check', '--mutant', 'list');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(20);
    for (const line of lines) expect(line).toMatch(/^[a-z-]+ {2,}[A-Z].*\.$/);
    stdout = '';
    await run('check', '--subject', 'list');
    expect(stdout).toMatch(/^weir {2,}\S/m);
  });
});
