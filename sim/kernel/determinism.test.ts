import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { computeDigest } from './determinism.test.fixture.ts';

const fixture = fileURLToPath(new URL('determinism.test.fixture.ts', import.meta.url));

async function computeInProcess(seed: number): Promise<string[]> {
  const args = ['--import', 'tsx', fixture, String(seed)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.split(' ');
}

function computeInThread(seed: number): Promise<string> {
  const program = `
    const { parentPort } = require('node:worker_threads');
    import('tsx/esm/api')
      .then(({ tsImport }) => tsImport(${JSON.stringify(fixture)}, ${JSON.stringify(fixture)}))
      .then(({ computeDigest }) => computeDigest(${seed}, 'sync'))
      .then((digest) => parentPort.postMessage(digest));`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

describe('the same seed gives the same digest', () => {
  it('twice in one process', async () => {
    const first = await computeDigest(7, 'sync');
    expect(await computeDigest(7, 'sync')).toBe(first);
    expect(await computeDigest(8, 'sync')).not.toBe(first);
  });

  it('in another process, under both drives', async () => {
    const here = await computeDigest(7, 'sync');
    expect(await computeInProcess(7)).toEqual([here, here]);
  });

  it('in two worker threads at once', async () => {
    const here = await computeDigest(9, 'sync');
    expect(await Promise.all([computeInThread(9), computeInThread(9)])).toEqual([here, here]);
  });
});
