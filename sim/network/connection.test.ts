import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { Network } from './network.ts';
import { play } from './scene.test.fixture.ts';

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

describe('listening', () => {
  it('twice on one port is refused as Node refuses it', async () => {
    const message = 'listen EADDRINUSE: address already in use 10.0.0.2:6379';
    await play(({ listen }) => {
      listen();
      expect(listen).toThrow(expect.objectContaining({ code: 'EADDRINUSE', message }));
    });
  });
});

describe('socket.setTimeout', () => {
  it('counts from a write that nobody answers', async () => {
    const notes = await play(({ app, store, network, open }) => {
      network.listen(store, 6379, () => {});
      app.spawn(() => {
        const socket = open();
        socket.setTimeout(100);
        setTimeout(() => socket.write('x'), 50);
      });
    });
    expect(notes).toEqual(['2 connect', '150 timeout']);
  });

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
