// The two servers a probe is tried on: a real Redis over a real socket, and the simulated one behind
// its own connection code. Both take bytes and give bytes.

import { connect, type Socket } from 'node:net';
import { Kernel } from '../../sim/kernel/kernel.ts';
import type { ServerConnection } from '../../sim/network/network.ts';
import { RedisServer } from '../../sim/redis/server.ts';
import { Store } from '../../sim/redis/store.ts';
import { encodeRequest, findReplyEnd } from './raw-reply.ts';

/** A server under comparison, empty at first. */
export interface Arm {
  /** Sends bytes on a connection, opened when first named, and gives the reply's bytes. */
  send(connection: string, bytes: string): Promise<string>;
  wait(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** What a reply reads as when the server closes the connection instead. */
export const closed = '(closed)';

/** Microseconds since the epoch at which the simulated store's clock starts; any will do. */
const startUs = 1_767_225_600_123_456;

export function createSimulatedArm(): Arm {
  let nowUs = startUs;
  // Time passes while a command or a script runs, as it does in life.
  const kernel = new Kernel({ seed: 1 });
  const host = kernel.createHost('redis');
  const store = new Store({ clockUs: () => (nowUs += 1) });
  // Without service times everything happens within `onData`.
  const server = new RedisServer({ kernel, host, store, serviceUs: () => 0 });
  server.start();
  const connections = new Map<string, { end: ServerConnection; output: string }>();
  const open = (name: string): { end: ServerConnection; output: string } => {
    const opened = { end: createServerEnd((chunk) => (opened.output += chunk)), output: '' };
    server.accept(opened.end);
    connections.set(name, opened);
    return opened;
  };
  function createServerEnd(write: (chunk: string) => void): ServerConnection {
    let isClosed = false;
    return {
      peer: host,
      get isClosed() {
        return isClosed;
      },
      onData: () => {},
      onEnd: () => {},
      onClose: () => {},
      write: (chunk) => {
        if (!isClosed) write(chunk);
      },
      end: () => {
        isClosed = true;
      },
      reset: () => {
        isClosed = true;
      },
    };
  }
  return {
    async send(name, bytes) {
      const connection = connections.get(name) ?? open(name);
      connection.output = '';
      if (!connection.end.isClosed) connection.end.onData(bytes);
      if (kernel.fault !== undefined) throw kernel.fault;
      return connection.output === '' ? closed : connection.output;
    },
    async wait(ms) {
      nowUs += ms * 1000;
    },
    async close() {},
  };
}

export async function createRealArm(port: number): Promise<Arm> {
  const connections = new Map<string, RawConnection>();
  const open = async (name: string): Promise<RawConnection> => {
    const connection = await RawConnection.open(port);
    connections.set(name, connection);
    return connection;
  };
  const cleaner = await open('');
  for (const args of [['FLUSHALL'], ['SCRIPT', 'FLUSH']]) await cleaner.send(encodeRequest(args));
  return {
    send: async (name, bytes) => (connections.get(name) ?? (await open(name))).send(bytes),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async close() {
      for (const connection of connections.values()) connection.close();
    },
  };
}

/** A socket that gives one reply for each send, or tells that it was closed. */
export class RawConnection {
  readonly #socket: Socket;
  #bytes = '';
  #isClosed = false;
  #notify: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      this.#bytes += chunk;
      this.#notify();
    });
    const end = (): void => {
      this.#isClosed = true;
      this.#notify();
    };
    socket.on('close', end);
    socket.on('error', end);
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => resolve(new RawConnection(socket)));
    });
  }

  send(bytes: string): Promise<string> {
    this.#socket.write(bytes, 'latin1');
    return this.receive();
  }

  /** Sends many requests at once and gives their replies in order. */
  async sendAll(requests: readonly string[]): Promise<string[]> {
    this.#socket.write(requests.join(''), 'latin1');
    const replies: string[] = [];
    while (replies.length < requests.length) replies.push(await this.receive());
    return replies;
  }

  receive(): Promise<string> {
    return new Promise((resolve) => {
      const look = (): void => {
        const end = findReplyEnd(this.#bytes, 0);
        if (end === undefined && !this.#isClosed) return;
        this.#notify = () => {};
        resolve(end === undefined ? closed : this.#bytes.slice(0, end));
        this.#bytes = end === undefined ? '' : this.#bytes.slice(end);
      };
      this.#notify = look;
      look();
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
