// A real redis-server for the time of a test: its own process on a free port, without persistence,
// ended by its pid. Where the program is missing the caller is told and skips, but for CI and
// WEIR_REQUIRE_REDIS=1, where that is a failure.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RealRedis {
  readonly port: number;
  /** Kills the process; data and scripts are lost. */
  stop(): Promise<void>;
  /** Starts a new, empty server on the same port, after `stop`. */
  start(): Promise<void>;
  /** Stands still (SIGSTOP): connections stay, nothing answers. */
  freeze(): void;
  thaw(): void;
}

/** The version whose answers are recorded; another one is not compared. */
export const recordedVersion = '7.0.15';

/** 25 ms apart: five seconds. */
const startAttempts = 200;

/**
 * Whether tests can run beside a real server of any version; if not, one line on stderr says why.
 * @throws Error where a missing server counts as a failure
 */
export function isRedisInstalled(): boolean {
  if (readVersion() !== undefined) return true;
  skip('redis-server is not installed (apt-get install redis-server)');
  return false;
}

/**
 * The installed server's version, if it is the recorded one; otherwise one line on stderr.
 * @throws Error where a missing or different server counts as a failure
 */
export function findInstalledVersion(): string | undefined {
  const version = readVersion();
  if (version === recordedVersion) return version;
  const found = version === undefined ? 'is not installed' : `is version ${version}`;
  skip(
    `redis-server ${found}; version ${recordedVersion} is wanted (apt-get install redis-server)`,
  );
  return undefined;
}

/** Starts a server with these arguments beside the usual ones, and waits until it listens. */
export async function startRealRedis(...extra: readonly string[]): Promise<RealRedis> {
  const port = await findFreePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly'];
  let server: ChildProcess | undefined;
  const redis: RealRedis = {
    port,
    async start() {
      const started = spawn('redis-server', [...settings, 'no', ...extra], { stdio: 'ignore' });
      server = started;
      await untilListening(port, () => started.exitCode);
    },
    async stop() {
      const ending = server;
      server = undefined;
      if (ending === undefined) return;
      const ended = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill('SIGKILL');
      await ended;
    },
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
  };
  await redis.start();
  return redis;
}

function readVersion(): string | undefined {
  try {
    const text = execFileSync('redis-server', ['--version'], { encoding: 'utf8' });
    return /v=([\d.]+)/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

function skip(message: string): void {
  if (process.env['CI'] !== undefined || process.env['WEIR_REQUIRE_REDIS'] === '1') {
    throw new Error(`Expected a real Redis: ${message}.`);
  }
  process.stderr.write(`Skipped what needs a real Redis: ${message}.\n`);
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function untilListening(port: number, exitCode: () => number | null): Promise<void> {
  for (let attempt = 0; attempt < startAttempts; attempt += 1) {
    if (await canConnect(port)) return;
    if (exitCode() !== null) throw new Error(`redis-server ended with code ${exitCode()}.`);
    await sleep(25);
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
