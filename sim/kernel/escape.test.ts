import { execFile, execSync } from 'node:child_process';
import { createHash, generateKeySync } from 'node:crypto';
import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { EscapeError } from './errors.ts';
import { registry } from './registry.ts';
import { runOnHost } from './run-on-host.test.fixture.ts';

const here = new URL(import.meta.url).pathname;

const escapes: Record<string, () => unknown> = {
  'fs.readFileSync': () => fs.readFileSync(here),
  'fs.existsSync': () => fs.existsSync(here),
  'fs.readFile': () => fs.readFile(here, () => {}),
  'fs.promises.readFile': () => fs.promises.readFile(here),
  'fs.watch': () => fs.watch(tmpdir()).close(),
  'a child process': () => execSync('true'),
  'a thread': () => void new Worker('', { eval: true }).terminate(),
  'a server': () => net.createServer().listen(0).close(),
  'a socket made by hand': () => new net.Socket().connect(9, '127.0.0.1'),
  'a local socket': () => net.connect('/nonexistent/socket').on('error', () => {}),
  'tls.connect': () => tls.connect({ host: 'store', port: 1 }),
  'a name server': () => dns.resolve4('localhost', () => {}),
  'zlib in the background': () => zlib.gzip('x', () => {}),
  'a real timer kept from before': () => clearTimeout(registry.real.setTimeout(() => {}, 1)),
  'Atomics.wait': () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1),
  'a new key': () => generateKeySync('hmac', { length: 64 }),
  'a message channel': () => new MessageChannel().port1.close(),
};

// What a test began on the real platform must not go on in the next one's turns.
afterEach(() => new Promise((resolve) => setTimeout(resolve, 20)));

describe.each(['sync', 'turns'] as const)('under the %s drive', (drive) => {
  it.each(Object.entries(escapes))('ends a run that escapes through %s', async (_name, leave) => {
    const error = await runOnHost(() => void leave(), { drive }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EscapeError);
    expect(error).toMatchObject({ code: 'escape', host: 'app' });
    if (error instanceof EscapeError) expect(error.escaped).toContain('escape.test');
  });

  it('lets console output, stacks, cloning and digests pass', async () => {
    const { ending } = await runOnHost(
      async () => {
        console.log('printed by a test of escapes');
        structuredClone({ a: 1 });
        String(new Error('read me').stack);
        zlib.gunzipSync(zlib.gzipSync('x'));
        createHash('sha256').update('x').digest('hex');
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
      { drive },
    );
    expect(ending.kind).toBe('done');
  });
});

it('ends a run that imports what is not loaded, in plain Node', async () => {
  // The test runner has imports of its own, so this needs another process.
  const program = `
    import ${JSON.stringify(new URL('platform.ts', import.meta.url).href)};
    const { runOnHost } = await import(${JSON.stringify(new URL('run-on-host.test.fixture.ts', import.meta.url).href)});
    const run = runOnHost(() => import(${JSON.stringify(import.meta.resolve('zod'))}));
    console.log(await run.then(() => 'none', (error) => error.code));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('escape\n');
});

it('lets a stack be formatted by what reads source maps', async () => {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = function prepareStackTrace(error, sites) {
    fs.readFileSync(here);
    return `${error.message}\n${sites.map((site) => `    at ${site}`).join('\n')}`;
  };
  try {
    const { ending } = await runOnHost(() => String(new Error('read me').stack));
    expect(ending.kind).toBe('done');
  } finally {
    Error.prepareStackTrace = before;
  }
});

it('counts no escape outside of a run', async () => {
  expect(fs.readFileSync(here).length).toBeGreaterThan(0);
  expect((await runOnHost(() => {})).kernel.fault).toBeUndefined();
});
