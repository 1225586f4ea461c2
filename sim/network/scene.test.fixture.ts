// For the network's tests: an app, a store that echoes, and notes of what happened when.

import net from 'node:net';
import type { Host, Kernel } from '../kernel/kernel.ts';
import { runOnHost } from '../kernel/run-on-host.test.fixture.ts';
import { Network, type ServerConnection } from './network.ts';

export interface Scene {
  readonly kernel: Kernel;
  readonly network: Network;
  readonly app: Host;
  readonly store: Host;
  /** What happened, each with the milliseconds of true time. */
  readonly notes: string[];
  note(text: string): void;
  at(ms: number, run: () => void): void;
  /** Opens a socket from the app that notes all its events. */
  open(name?: string, port?: number): net.Socket;
  /** Listens on the store, echoing what it receives. */
  listen(): void;
}

const LATENCY_MS = 1;

export async function play(script: (scene: Scene) => void, untilMs = 200_000): Promise<string[]> {
  const notes: string[] = [];
  const run = await runOnHost(() => {}, {
    untilUs: untilMs * 1000,
    prepare: (kernel, app) => script(createScene(kernel, app, notes)),
  });
  if (run.failures.length > 0) throw run.failures[0]?.error;
  return notes;
}

function createScene(kernel: Kernel, app: Host, notes: string[]): Scene {
  const network = new Network(kernel, { latency: () => ({ minUs: LATENCY_MS * 1000, tailUs: 0 }) });
  const store = kernel.createHost('store');
  const note = (text: string): number => notes.push(`${kernel.nowUs / 1000} ${text}`);
  return {
    kernel,
    network,
    app,
    store,
    notes,
    note,
    at: (ms, run) => void kernel.schedule(ms * 1000, kernel.world, kernel.cause, run),
    open: (name = 'store', port = 6379) => watch(net.connect(port, name), note),
    listen: () => network.listen(store, 6379, (connection) => echo(connection, note)),
  };
}

function watch(socket: net.Socket, note: (text: string) => void): net.Socket {
  for (const event of ['connect', 'end', 'timeout'] as const) socket.on(event, () => note(event));
  socket.on('data', (bytes) => note(`data ${bytes}`));
  socket.on('error', (error) => note(`error ${error.message}`));
  socket.on('close', (hadError) => note(`close ${hadError}`));
  return socket;
}

function echo(connection: ServerConnection, note: (text: string) => void): void {
  note(`accept ${connection.peer.name}`);
  connection.onData = (chunk) => {
    note(`server data ${chunk}`);
    connection.write(chunk);
  };
  connection.onEnd = () => {
    note('server end');
    connection.end();
  };
  connection.onClose = () => note('server close');
}
