// A real redis-server for the live tests of the limiter: its own process on a free port, without
// persistence, ended by its pid. Where the program is missing the tests say so and are skipped, but
// for CI and WEIR_REQUIRE_REDIS=1, where that is a failure.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LiveRedis {
  readonly port: number;
  /** Ends the process without a word to its clients' scripts; data and scripts are lost. */
  kill(): Promise<void>;
  /** Starts a new, empty server on the same port. */
  start(): Promise<void>;
  /** Stands still (SIGSTOP): connections stay, nothing answers. */
  freeze(): void;
  thaw(): void;
}

/** Whether the tests can run here. Throws where a missing server counts as a failure. */
export function isRedisInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    const message = 'redis-server is not installed (apt-get install redis-server)';
    if (process.env['CI'] !== undefined || process.env['WEIR_REQUIRE_REDIS'] === '1') {
      throw new Error(message);
    }
    process.stderr.write(`Skipped the limiter's live tests: ${message}\n`);
    return false;
  }
}

/** Starts a server, with these arguments beside the usual ones. */
export async function startRedis(...extra: readonly string[]): Promise<LiveRedis> {
  const port = await findFreePort();
  let server: ChildProcess | undefined;
  const live: LiveRedis = {
    port,
    async start() {
      server = spawn('redis-server', [
        ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        ...extra,
      ]);
      await untilListening(port);
    },
    async kill() {
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
  await live.start();
  return live;
}

/** A port on which connections are accepted and never answered. */
export async function startSilentServer(): Promise<{ port: number; stop(): void }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
  });
  const sockets = new Set<{ destroy(): void }>();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server.address()),
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('Expected a port.');
  return address.port;
}

const START_ATTEMPTS = 200;

async function untilListening(port: number): Promise<void> {
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error(`Expected redis-server to listen on port ${port} within five seconds.`);
}
