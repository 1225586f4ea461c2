import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawScenario } from '../arbitraries/scenario.ts';
import { loadSubject, SubjectError } from './load-subject.ts';
import { algorithms, promiseNames } from './promises.ts';
import type { ScenarioSource } from './settings.ts';

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-subject-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const bucket = {
  algorithm: 'token-bucket',
  capacity: 5,
  rate: { tokens: 100, periodMs: 60_000 },
  promises: ['admission-bound'],
};

/** Loads a file that says the given text. */
function load(text: string, source?: ScenarioSource) {
  count += 1;
  const path = join(folder, `subject-${count}.mjs`);
  writeFileSync(path, text);
  return loadSubject({ kind: 'file', path }, source);
}

function loadContract(contract: unknown, source?: ScenarioSource) {
  const text = `{ name: 'mine', createHost() {}, contract: ${JSON.stringify(contract)} }`;
  return load(`export default ${text};`, source);
}

/** Where the complaint is, and what it says. */
async function complaintOf(loading: Promise<unknown>): Promise<string> {
  const error: unknown = await loading.catch((caught: unknown) => caught);
  if (!(error instanceof SubjectError)) throw new Error(`Expected a SubjectError, got ${error}.`);
  return `${error.path}: ${error.value}: ${error.expected}`;
}

describe('loading a subject', () => {
  it('accepts every promise of a token bucket, and refuses a name that does not exist', async () => {
    const { contract } = await loadContract({ read: { ...bucket, promises: promiseNames } });
    expect(contract?.['read']?.promises).toEqual(promiseNames);
    const complaint = await complaintOf(
      loadContract({ read: { ...bucket, promises: ['admission-bound', 'admision-bound'] } }),
    );
    expect(complaint).toMatch(/^default\.contract\.read\.promises\.1: "admision-bound": one of /);
    for (const name of promiseNames) expect(complaint).toContain(name);
  });

  it('refuses an algorithm it has never heard of', async () => {
    const complaint = await complaintOf(loadContract({ read: { ...bucket, algorithm: 'bucket' } }));
    expect(complaint).toBe(
      `default.contract.read.algorithm: "bucket": one of ${[...algorithms.keys()].join(', ')}`,
    );
  });

  it('refuses promises that need a model where there is none, and only those', async () => {
    const window = { ...bucket, algorithm: 'fixed-window' };
    expect(await complaintOf(loadContract({ read: window }))).toContain(
      'needs an algorithm this version models: token-bucket',
    );
    const promises = ['settles-once-within-deadline', 'key-has-ttl'];
    await expect(loadContract({ read: { ...window, promises } })).resolves.toBeDefined();
  });

  it('refuses a comparison of whole runs that only one policy promises', async () => {
    const promises = ['more-replicas-change-nothing'];
    const complaint = await complaintOf(
      loadContract({ read: { ...bucket, promises }, write: bucket }),
    );
    expect(complaint).toContain('every policy');
  });

  it.each([
    ['capacity', { ...bucket, capacity: 0 }],
    ['rate.tokens', { ...bucket, rate: { tokens: 0, periodMs: 1000 } }],
    ['rate.periodMs', { ...bucket, rate: { tokens: 1, periodMs: -1 } }],
    ['promises', { ...bucket, promises: [] }],
  ])('refuses a %s that promises nothing', async (path, policy) => {
    expect(await complaintOf(loadContract({ read: policy }))).toContain(
      `default.contract.read.${path}: `,
    );
  });

  it('refuses a contract without a policy', async () => {
    expect(await complaintOf(loadContract({}))).toContain('default.contract: {}: at least one');
  });

  it('refuses ids that the policies of the campaign do not have', async () => {
    const policies = { limits: [{ id: 'read', key: ['tenant'], rate: '100/min' }] };
    const source = { kind: 'drawn', policies } as const;
    await expect(loadContract({ read: bucket }, source)).resolves.toBeDefined();
    expect(await complaintOf(loadContract({ write: bucket }, source))).toContain(
      '"write": a limit of the policy document: read',
    );
  });

  it('accepts every id that drawn policies can have', async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const { policies } = drawScenario(seed);
      const ids = (policies as { limits: { id: string }[] }).limits.map(({ id }) => id);
      const contract = Object.fromEntries(ids.map((id) => [id, bucket]));
      await expect(loadContract(contract, { kind: 'drawn' })).resolves.toBeDefined();
    }
  });

  it('tells of a file that ends the process while it loads, and leaves process.exit as it was', async () => {
    const { exit } = process;
    expect(await complaintOf(load('process.exit(0);'))).toContain('process.exit(0)');
    expect(process.exit).toBe(exit);
  });
});
