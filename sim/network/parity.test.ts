// The same client code over real sockets of this machine and over simulated ones must see the same
// events in the same order, with the same errors. Times and addresses differ and are not compared.

import net from 'node:net';
import { expect, it } from 'vitest';
import { runOnHost } from '../kernel/run-on-host.test.fixture.ts';
import { Network } from './network.ts';

/** What a server does, told apart from what it is made of. */
interface Peer {
  write(text: string): void;
  end(): void;
  reset(): void;
}
type Serve = (peer: Peer, event: 'open' | 'data' | 'end', text: string) => void;
type Connect = (options?: { allowHalfOpen?: boolean; timeout?: number }) => net.Socket;

interface Case {
  readonly serve: Serve;
  readonly client: (connect: Connect, note: (text: string) => void) => void;
}

const EVENTS = ['connect', 'ready', 'end', 'finish', 'timeout'] as const;
const echo: Serve = (peer, event, text) => {
  if (event === 'data') peer.write(text);
  if (event === 'end') peer.end();
};

const cases: Record<string, Case> = {
  'a conversation that the client ends': {
    serve: echo,
    client: (connect) => {
      const socket = connect();
      socket.write('hello');
      socket.once('data', () => socket.end());
    },
  },
  'a conversation that the server ends': {
    serve: (peer, event) => void (event === 'data' && peer.end()),
    client: (connect) => connect().write('bye'),
  },
  'a server that ends at once': {
    serve: (peer, event) => void (event === 'open' && peer.end()),
    client: (connect) => connect(),
  },
  'a reset by the server': {
    serve: (peer, event) => void (event === 'data' && peer.reset()),
    client: (connect) => connect().write('x'),
  },
  'a write in the end event': {
    serve: (peer, event) => void (event === 'data' && peer.end()),
    client: (connect, note) => {
      const socket = connect();
      socket.write('x');
      socket.on('end', () => note(`accepted ${socket.write('y')}`));
    },
  },
  'a half-open client that goes on': {
    serve: (peer, event) => void (event === 'open' && peer.end()),
    client: (connect) => {
      const socket = connect({ allowHalfOpen: true });
      socket.on('end', () => setTimeout(() => socket.end(), 20));
    },
  },
  'a write after the own end': {
    serve: echo,
    client: (connect, note) => {
      const socket = connect();
      socket.on('connect', () => {
        socket.end('last');
        socket.write('more', (error) => note(`write ${error?.message}`));
      });
    },
  },
  'a write after destroy': {
    serve: echo,
    client: (connect, note) => {
      const socket = connect();
      socket.on('connect', () => {
        socket.destroy();
        note(`accepted ${socket.write('x', (error) => note(`write ${error?.message}`))}`);
      });
    },
  },
  'a destroy with an error': {
    serve: echo,
    client: (connect) => {
      const socket = connect();
      socket.on('connect', () => socket.destroy(new Error('mine')));
    },
  },
  'a destroy before connecting, with a write waiting': {
    serve: echo,
    client: (connect, note) => {
      const socket = connect();
      socket.write('x', (error) => note(`write ${error?.message}`));
      socket.write('y', (error) => note(`second write ${error?.message}`));
      socket.destroy();
    },
  },
  'an end before connecting': {
    serve: echo,
    client: (connect, note) => connect().end('quick', () => note('ended')),
  },
  'a paused client': {
    serve: (peer, event) => {
      if (event === 'open') {
        peer.write('text');
        peer.end();
      }
    },
    client: (connect) => {
      const socket = connect();
      socket.pause();
      setTimeout(() => socket.resume(), 50);
    },
  },
  'an idle socket': {
    serve: echo,
    client: (connect, note) => {
      const socket = connect({ timeout: 20 });
      socket.once('timeout', () => {
        note(`${socket.timeout}`);
        socket.setTimeout(0);
        socket.end();
      });
    },
  },
  'a reset by the client': {
    serve: echo,
    client: (connect, note) => {
      const socket = connect();
      socket.on('connect', () => {
        socket.resetAndDestroy();
        note(`${socket.destroyed} ${socket.closed} ${socket.readyState}`);
      });
    },
  },
  'states on the way': {
    serve: echo,
    client: (connect, note) => {
      const socket = connect();
      const state = () =>
        note(`${socket.readyState} ${socket.connecting} ${socket.pending} ${socket.destroyed}`);
      state();
      socket.write('abc');
      socket.on('connect', state);
      socket.once('data', () => {
        note(`${socket.bytesRead} ${socket.bytesWritten}`);
        socket.end();
        state();
      });
      socket.on('end', state);
      socket.on('close', state);
    },
  },
};

function watch(socket: net.Socket, note: (text: string) => void): net.Socket {
  for (const event of EVENTS) socket.on(event, () => note(event));
  socket.on('data', (bytes) => note(`data ${bytes}`));
  socket.on('close', (hadError) => note(`close ${hadError}`));
  socket.on('error', (error: NodeJS.ErrnoException) =>
    note(`error ${error.message.replace(/\d+\.\d+\.\d+\.\d+:\d+/, 'A:P')} ${error.code}`),
  );
  return socket;
}

async function playReal({ serve, client }: Case): Promise<string[]> {
  const notes: string[] = [];
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const peer: Peer = {
      write: (text) => socket.write(text),
      end: () => socket.destroySoon(),
      reset: () => socket.resetAndDestroy(),
    };
    socket.on('error', () => {});
    socket.on('data', (bytes) => serve(peer, 'data', String(bytes)));
    socket.on('end', () => serve(peer, 'end', ''));
    serve(peer, 'open', '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const note = (text: string): number => notes.push(text);
  await new Promise<void>((resolve) => {
    client((options) => {
      const socket = watch(net.connect({ host: '127.0.0.1', port, ...options }), note);
      // What follows the close, such as a write's callback, follows at once.
      return socket.on('close', () => setTimeout(resolve, 30));
    }, note);
  });
  await new Promise((resolve) => server.close(resolve));
  return notes;
}

async function playSimulated({ serve, client }: Case): Promise<string[]> {
  const notes: string[] = [];
  const note = (text: string): number => notes.push(text);
  const run = await runOnHost(
    () =>
      client((options) => watch(net.connect({ host: 'peer', port: 7, ...options }), note), note),
    {
      prepare: (kernel) => {
        const network = new Network(kernel, { latency: () => ({ minUs: 100, tailUs: 0 }) });
        const host = kernel.createHost('peer');
        network.listen(host, 7, (connection) => {
          const peer: Peer = connection;
          connection.onData = (text) => serve(peer, 'data', text);
          connection.onEnd = () => serve(peer, 'end', '');
          serve(peer, 'open', '');
        });
      },
    },
  );
  expect(run.failures).toEqual([]);
  return notes;
}

it.concurrent.each(Object.entries(cases))('%s is as on real sockets', async (_name, played) => {
  const real = await playReal(played);
  expect(real.length).toBeGreaterThan(0);
  expect(await playSimulated(played)).toEqual(real);
});
