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

const request = {
  id: 1,
  atUs: 1,
  tenant: 'a',
  user: 'b',
  method: 'GET',
  path: '/',
  cost: 1,
  gateway: 7,
};

function createScenario() {
  const link = { minUs: 1, tailUs: 0 };
  const faults: unknown[] = [];
  return {
    format: 1,
    seed: 1,
    policies: { limits: [{ id: 'a', key: ['tenant'], rate: '5/min' }] },
    topology: {
      gateways: 1,
      replicas: 2,
      clockOffsetsMs: {},
      gatewayLink: link,
      storeLink: link,
      scriptUs: 1,
      commandUs: 1,
    },
    workload: { kind: 'requests', requests: [request] },
    faults,
    knobs: { deadlineMs: 50, gatewayDeadlineMs: 100, settleMs: 100 },
  };
}

/** A scenario's file, good but for the change. */
function scenario(
  name: string,
  change: (scenario: ReturnType<typeof createScenario>) => unknown,
): string {
  const made = createScenario();
  change(made);
  return file(name, JSON.stringify(made));
}

/** A trace as one writes it by hand, good but for the change. */
function trace(name: string, change: object): string {
  const how = { transport: 'wire', client: 5, drive: 'sync', expect: 'passes' };
  const header = { type: 'header', format: 1, seed: 1, subject: 'weir', ...how, ...change };
  return file(name, JSON.stringify({ ...header, scenario: createScenario() }));
}

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
      /^weir: gone\.yaml: there is no such file$/m,
    ],
    [
      'a policy file that is not YAML',
      () => ['check', '--policy', file('torn.yaml', 'limits:\n  - { id: a')],
      /^weir: torn\.yaml:\d+:\d+: .*, expected valid YAML or JSON$/m,
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
      /^weir: s\.json: seed is -1, expected a number of at least 0$/m,
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
    [
      'a trace that is not there',
      () => ['replay', 'gone.jsonl'],
      /^weir: gone\.jsonl: there is no such file$/m,
    ],
    [
      'a trace that is none',
      () => ['replay', file('t.jsonl', '{"type":"header"}')],
      /t\.jsonl:1: /,
    ],
    [
      'a folder for a file',
      () => ['check', '--log', '/tmp'],
      /\/tmp: this is a folder, not a file/,
    ],
    [
      'a log of bytes',
      () => ['check', '--log', file('bytes.log', '\u0000\u009b31m\ufffd\n')],
      /^weir: bytes\.log:1: expected [ -~]*$/m,
    ],
    [
      'a key that no scenario has',
      () => [
        'check',
        '--scenario',
        scenario('key.json', (it) => Object.assign(it.topology, { gatways: 2 })),
      ],
      /^weir: key\.json: topology: unknown key "gatways"$/m,
    ],
    [
      'two requests of one id',
      () => [
        'check',
        '--scenario',
        scenario('twice.json', (it) => it.workload.requests.push(request)),
      ],
      /^weir: twice\.json: workload\.requests\[1\]\.id is 1, expected an id of its own/m,
    ],
    [
      'a fault on a machine that is not there',
      () => [
        'check',
        '--scenario',
        scenario('host.json', (it) =>
          it.faults.push({ kind: 'reply-lost', id: 1, atMs: 5, host: 'replica-9' }),
        ),
      ],
      /^weir: host\.json: faults\[0\]\.host is "replica-9", expected a replica from replica-0 to replica-1$/m,
    ],
    [
      'a trace that expects an invariant nobody knows',
      () => ['replay', trace('expects.jsonl', { expect: 'fails key-has-tll' })],
      /^weir: expects\.jsonl:1: expect is "fails key-has-tll", expected "passes" or "fails" and one of .*key-has-ttl/m,
    ],
    [
      'a trace of a subject nobody knows',
      () => ['replay', trace('subject.jsonl', { subject: 'wier' })],
      /^weir: subject\.jsonl:1: subject is "wier", expected a subject's file, or one of weir/m,
    ],
    [
      'a trace of a subject whose file is gone',
      () => ['replay', trace('lost.jsonl', { subject: './lost.mjs' })],
      /^weir: lost\.jsonl:1: subject is "\.\/lost\.mjs", expected a file that exists/m,
    ],
    [
      'neither trace nor seed',
      () => ['replay'],
      /weir replay: TRACE is missing, expected a trace file or --seed/,
    ],
  ];
  it.each(cases)(
    '%s is one message that names the place, and exit code 2',
    async (_, words, message) => {
      const exitCode = await run(...words());
      expect(stderr).toMatch(message);
      expect(stderr).toMatch(/^weir: /);
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

  it('says its version, the first seed it takes and every exit code', async () => {
    expect(await run('--version')).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    await run('--help');
    expect(stdout).toMatch(/130 interrupted/);
    await run('check', '--help');
    expect(stdout).toMatch(/the first seed\s+\(default: 1\)/);
  });

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
