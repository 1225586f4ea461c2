// A real redis-server for the time of a test: its own process on a free port, without persistence,
// ended by its pid. Where the program is missing the caller is told and skips, but for CI and
// WEIR_REQUIRE_REDIS=1, where that is a failure.

import { execFileSync, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

export interface RealRedis {
  readonly port: number;
  readonly version: string;
  stop(): Promise<void>;
}

/** The version whose answers are recorded; another one is not compared. */
export const recordedVersion = '7.0.15';

/**
 * The installed server's version; undefined (with one line on stderr) when there is none.
 * @throws Error where a missing or different server counts as a failure
 */
export function findInstalledVersion(): string | undefined {
  const version = readVersion();
  if (version === recordedVersion) return version;
  const found = version === undefined ? 'is not installed' : `is version ${version}`;
  const message = `redis-server ${found}; version ${recordedVersion} is wanted (apt-get install redis-server).`;
  if (process.env['CI'] !== undefined || process.env['WEIR_REQUIRE_REDIS'] === '1') {
    throw new Error(message);
  }
  process.stderr.write(`Skipped the comparison with a real Redis: ${message}\n`);
  return undefined;
}

function readVersion(): string | undefined {
  try {
    const text = execFileSync('redis-server', ['--version'], { encoding: 'utf8' });
    return /v=([\d.]+)/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** Starts a server with these arguments beside the usual ones, and waits until it listens. */
export async function startRealRedis(...extra: readonly string[]): Promise<RealRedis> {
  const port = await findFreePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly'];
  const server = spawn('redis-server', [...settings, 'no', ...extra], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await untilListening(port, () => server.exitCode);
  return {
    port,
    version: recordedVersion,
    async stop() {
      server.kill('SIGKILL');
      await ended;
    },
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

async function untilListening(port: number, exitCode: () => number | null): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await canConnect(port)) return;
    if (exitCode() !== null) throw new Error(`redis-server ended with code ${exitCode()}.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`redis-server does not listen on port ${port} after five seconds.`);
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
