import net from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Host, Kernel } from '../kernel/kernel.ts';
import { runOnHost } from '../kernel/run-on-host.ts';
import { Network, type ServerConnection } from './network.ts';

interface Scene {
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

async function play(script: (scene: Scene) => void, untilMs = 200_000): Promise<string[]> {
  const notes: string[] = [];
  const run = await runOnHost(() => {}, {
    untilUs: untilMs * 1000,
    prepare: (kernel, app) => script(createScene(kernel, app, notes)),
  });
  expect(run.failures).toEqual([]);
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

describe('a connection', () => {
  it('opens in a round trip, carries bytes both ways and ends both ways', async () => {
    const notes = await play(({ app, listen, open }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        socket.write('early');
        socket.once('data', () => socket.end('late'));
      });
    });
    expect(notes).toEqual([
      '1 accept app',
      '2 connect',
      '3 server data early',
      '4 data early',
      '5 server data late',
      '5 server end',
      '6 data late',
      '6 end',
      '6 close false',
    ]);
  });

  it('tells the addresses of both sides while it is open', async () => {
    const seen: unknown[] = [];
    await play(({ app, listen, open }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        seen.push([socket.connecting, socket.remoteAddress, socket.address()]);
        socket.on('connect', () => {
          seen.push([socket.connecting, socket.remoteAddress, socket.remotePort]);
          seen.push(socket.address(), socket instanceof net.Socket);
          socket.destroy();
        });
      });
    });
    expect(seen).toEqual([
      [true, undefined, {}],
      [false, '10.0.0.2', 6379],
      { address: '10.0.0.1', family: 'IPv4', port: 32769 },
      true,
    ]);
  });

  it('carries bytes in every encoding unchanged', async () => {
    const received: string[] = [];
    await play(({ app, store, network, open }) => {
      network.listen(store, 6379, (connection) => {
        connection.onData = (chunk) => received.push(Buffer.from(chunk, 'latin1').toString('hex'));
      });
      app.spawn(() => {
        const socket = open();
        socket.write('a\u00e9\u20ac');
        socket.write('ff00', 'hex');
        socket.write('\u00e9', 'latin1');
        socket.write(Buffer.from([0, 128, 255]));
        socket.write(new Uint8Array([1, 2]));
        socket.destroySoon();
      });
    });
    expect(received.join(' ')).toBe('61c3a9e282ac ff00 e9 0080ff 0102');
  });

  it('keeps the order of bytes although latency varies', async () => {
    let received = '';
    await play(({ kernel, app, store, open }) => {
      const network = new Network(kernel, { latency: () => ({ minUs: 10, tailUs: 5000 }) });
      network.listen(store, 6379, (connection) => {
        connection.onData = (chunk) => {
          received += chunk;
        };
      });
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => {
          for (let index = 0; index < 10; index += 1) {
            setTimeout(() => socket.write(`${index}`), index);
          }
        });
      });
    });
    expect(received).toBe('0123456789');
  });

  it('closed by the client while bytes are in flight still delivers them, then the end', async () => {
    const notes = await play(({ app, listen, open }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => {
          socket.write('debit');
          socket.destroy();
        });
      });
    });
    expect(notes).toEqual([
      '1 accept app',
      '2 connect',
      '2 close false',
      '3 server data debit',
      '3 server end',
    ]);
  });

  it('runs bytes of a closed connection after those of the next one when they are late', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      app.spawn(() => {
        const old = open();
        old.on('connect', () => {
          const heal = network.slow(app, store, 50_000);
          old.write('zombie');
          old.destroy();
          heal();
          at(1, () => app.spawn(() => open().write('next')));
        });
      });
    });
    const served = notes.filter((note) => note.includes('server data'));
    expect(served).toEqual(['6 server data next', '53 server data zombie']);
  });

  it('answered by the server after the client has closed sees a reset', async () => {
    const notes = await play(({ app, store, network, open, note }) => {
      network.listen(store, 6379, (connection) => {
        connection.onEnd = () => {};
        connection.onData = () => connection.write('reply');
        connection.onClose = () => note('server close');
      });
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => {
          socket.write('ask');
          socket.destroy();
        });
      });
    });
    expect(notes).toEqual(['2 connect', '2 close false', '5 server close']);
  });

  it('closed by the server loses what the client still sends, and resets it', async () => {
    const notes = await play(({ app, store, network, open, note }) => {
      network.listen(store, 6379, (connection) => {
        connection.onData = (chunk) => {
          note(`server data ${chunk}`);
          connection.end();
        };
      });
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => {
          socket.write('first');
          socket.write('second');
        });
      });
    });
    expect(notes).toEqual([
      '2 connect',
      '3 server data first',
      '4 end',
      '4 error read ECONNRESET',
      '4 close true',
    ]);
  });

  it('reset by the server loses bytes in flight both ways', async () => {
    const notes = await play(({ app, store, network, open, note, at }) => {
      network.listen(store, 6379, (connection) => {
        connection.onData = (chunk) => note(`server data ${chunk}`);
        connection.write('lost');
        at(0, () => connection.reset());
      });
      app.spawn(() => void open().write('lost too'));
    });
    expect(notes).toEqual(['2 error read ECONNRESET', '2 close true']);
  });

  it('reset by the client tells the server', async () => {
    const notes = await play(({ app, listen, open }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => socket.resetAndDestroy());
      });
    });
    expect(notes).toEqual(['1 accept app', '2 connect', '2 close false', '3 server close']);
  });
});

describe('connecting', () => {
  it('to a port nobody listens on is refused after a round trip', async () => {
    const seen: unknown[] = [];
    const notes = await play(({ app, open }) => {
      app.spawn(() => open().on('error', (error) => seen.push({ ...error })));
    });
    expect(notes).toEqual(['2 error connect ECONNREFUSED 10.0.0.2:6379', '2 close true']);
    expect(seen).toEqual([
      { errno: -111, code: 'ECONNREFUSED', syscall: 'connect', address: '10.0.0.2', port: 6379 },
    ]);
  });

  it('to a host that refuses, or whose process is gone, is refused until that has healed', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      const heal = network.refuse(store);
      app.spawn(() => void open());
      at(10, heal);
      at(20, () => app.spawn(() => void open().end()));
      at(30, () => store.crash());
      at(40, () => app.spawn(() => void open()));
    });
    expect(notes.filter((note) => note.includes('ECONNREFUSED'))).toEqual([
      '2 error connect ECONNREFUSED 10.0.0.2:6379',
      '42 error connect ECONNREFUSED 10.0.0.2:6379',
    ]);
    expect(notes).toContain('22 connect');
  });

  it('to an unknown name fails as getaddrinfo does', async () => {
    const notes = await play(({ app, open }) => {
      app.spawn(() => void open('nowhere'));
    });
    expect(notes).toEqual(['0 error getaddrinfo ENOTFOUND nowhere', '0 close true']);
  });

  it('into a black hole fails after the time Linux takes', async () => {
    const notes = await play(({ app, store, network, listen, open }) => {
      listen();
      network.blackHole(app, store);
      app.spawn(() => void open());
    });
    expect(notes).toEqual(['127000 error connect ETIMEDOUT 10.0.0.2:6379', '127000 close true']);
  });

  it('to a paused process succeeds, and it accepts when it resumes', async () => {
    const notes = await play(({ app, store, listen, open }) => {
      listen();
      store.pause(20_000);
      app.spawn(() => void open().write('x'));
    });
    expect(notes).toEqual(['2 connect', '20 accept app', '20 server data x', '21 data x']);
  });

  it('given up by the client opens and ends on the server', async () => {
    const notes = await play(({ app, listen, open }) => {
      listen();
      app.spawn(() => void open().destroy());
    });
    expect(notes).toEqual(['0 close false', '1 accept app', '1 server end']);
  });
});

describe('a partition', () => {
  it('holds bytes and connects both ways, and lets them arrive in order after it has healed', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => {
          at(10, () => {
            const heal = network.partition(app, store, 'both');
            at(30, heal);
          });
          setTimeout(() => socket.write('a'), 11);
          setTimeout(() => socket.write('b'), 12);
          setTimeout(() => void open('store'), 13);
          setTimeout(() => socket.write('c'), 40);
        });
      });
    });
    expect(notes).toEqual([
      '1 accept app',
      '2 connect',
      '43 server data a',
      '43 server data b',
      '43 accept app',
      '43 server data c',
      '44 data a',
      '44 connect',
      '44 data b',
      '44 data c',
    ]);
  });

  it('in one direction lets the other one pass', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => {
          const heal = network.partition(store, app, 'forward');
          at(50, heal);
          socket.write('x');
        });
      });
    });
    expect(notes.slice(2)).toEqual(['3 server data x', '53 data x']);
  });

  it('that overlaps another ends when both have healed', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      const first = network.partition(app, store, 'both');
      const second = network.partition(app, store, 'forward');
      at(10, first);
      at(11, first);
      at(20, second);
      app.spawn(() => void open());
    });
    expect(notes).toEqual(['21 accept app', '22 connect']);
  });
});

describe('a black hole', () => {
  it('hangs the connections there were for good, and lets new ones work when it has healed', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => {
          at(5, () => at(20, network.blackHole(app, store)));
          setTimeout(() => socket.write('during'), 10);
          setTimeout(() => socket.write('after'), 40);
          setTimeout(() => socket.destroy(), 50);
          setTimeout(() => void open().write('new'), 60);
        });
      });
    });
    expect(notes.slice(2)).toEqual([
      '52 close false',
      '63 accept app',
      '64 connect',
      '65 server data new',
      '66 data new',
    ]);
  });
});

describe('a reset', () => {
  it('cuts every connection between two hosts and loses what is in flight', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        socket.on('connect', () => socket.write('lost'));
      });
      at(2.5, () => network.resetConnections(store, app));
    });
    expect(notes.slice(2)).toEqual([
      '2.5 error read ECONNRESET',
      '2.5 server close',
      '2.5 close true',
    ]);
  });
});

describe('a crash', () => {
  it('of the server ends its connections, and its port is free again', async () => {
    const notes = await play(({ app, store, listen, open, at }) => {
      listen();
      app.spawn(() => void open());
      at(10, () => store.crash());
      at(20, () => store.restart(listen));
      at(30, () => app.spawn(() => void open()));
    });
    expect(notes).toEqual([
      '1 accept app',
      '2 connect',
      '11 end',
      '11 close false',
      '31 accept app',
      '32 connect',
    ]);
  });

  it('of the server with bytes unread resets its connections', async () => {
    const notes = await play(({ app, store, listen, open, at }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        setTimeout(() => socket.write('unread'), 10);
      });
      at(10.5, () => store.crash());
    });
    expect(notes.slice(2)).toEqual(['11.5 error read ECONNRESET', '11.5 close true']);
  });

  it('of the client ends its connections and its socket stays silent', async () => {
    const notes = await play(({ app, listen, open, at }) => {
      listen();
      app.spawn(() => void open());
      at(10, () => app.crash());
    });
    expect(notes).toEqual(['1 accept app', '2 connect', '11 server end']);
  });
});

describe('fragmentation', () => {
  it('delivers every message in pieces, in order, each as an event of its own', async () => {
    const notes = await play(({ app, store, network, listen, open }) => {
      listen();
      network.fragment(app, store, 4);
      app.spawn(() => void open().write('abcdefghij'));
    });
    const pieces = notes.filter((note) => note.includes('server data'));
    expect(pieces.map((note) => note.split(' ').at(-1))).toEqual(['abcd', 'efgh', 'ij']);
  });
});

describe('socket.setTimeout', () => {
  it('tells of silence once, and again after activity', async () => {
    const notes = await play(({ app, listen, open }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        socket.setTimeout(100);
        setTimeout(() => socket.write('x'), 50);
        setTimeout(() => socket.write('y'), 500);
        setTimeout(() => socket.setTimeout(0), 700);
        setTimeout(() => socket.write('z'), 710);
      });
    });
    expect(notes.filter((note) => note.includes('timeout'))).toEqual([
      '152 timeout',
      '602 timeout',
    ]);
  });
});

describe('a message', () => {
  it('arrives under its cause, after the latency, and not at a process that is gone', async () => {
    const notes = await play(({ kernel, app, store, network, note, at }) => {
      app.spawn(() => {
        kernel.cause = kernel.createCause(42);
        network.send(app, store, () => note(`at ${kernel.host.name} for ${kernel.cause.id}`));
      });
      at(10, () => {
        network.send(app, store, () => note('never'));
        store.crash();
        network.send(app, store, () => note('never either'));
        store.restart(() => {});
      });
    });
    expect(notes).toEqual(['1 at store for 42']);
  });

  it('is held by a partition and lost in a black hole', async () => {
    const notes = await play(({ app, store, network, note, at }) => {
      const heal = network.partition(app, store, 'both');
      network.send(app, store, () => note('held'));
      at(10, heal);
      at(20, () => {
        const end = network.blackHole(app, store);
        network.send(app, store, () => note('lost'));
        at(10, end);
      });
    });
    expect(notes).toEqual(['11 held']);
  });
});

describe('the cause of a write', () => {
  it('is what the world says, or else that of the event that writes', async () => {
    const causes: number[] = [];
    await play(({ kernel, app, store, network, open }) => {
      network.onWrite = (_from, _to, chunk) =>
        chunk === 'told' ? kernel.createCause(7) : kernel.cause;
      network.listen(store, 6379, (connection) => {
        connection.onData = () => {
          causes.push(kernel.cause.id);
          connection.write('reply');
        };
      });
      kernel.schedule(0, app, kernel.createCause(3), () => {
        const socket = open();
        socket.on('data', () => causes.push(kernel.cause.id));
        socket.on('connect', () => socket.write('told'));
        setTimeout(() => socket.write('plain'), 10);
      });
    });
    expect(causes).toEqual([7, 7, 3, 3]);
  });
});
