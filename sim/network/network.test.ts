import { describe, expect, it } from 'vitest';
import { Network } from './network.ts';
import { play } from './scene.test.fixture.ts';

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

describe('a black hole that a silent connection goes through', () => {
  it('hangs that connection too', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      app.spawn(() => {
        const socket = open();
        setTimeout(() => socket.write('after'), 40);
      });
      at(5, () => at(20, network.blackHole(app, store)));
    });
    expect(notes).toEqual(['1 accept app', '2 connect']);
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

describe('a reset while connecting', () => {
  it('fails the client and opens nothing on the server', async () => {
    const notes = await play(({ app, store, network, listen, open, at }) => {
      listen();
      app.spawn(() => void open());
      at(0.5, () => network.resetConnections(store, app));
    });
    expect(notes).toEqual(['0.5 error read ECONNRESET', '0.5 close true']);
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

describe('latency', () => {
  it('of every other message stays as it was when one cause is removed', async () => {
    const arrivals = async (ids: number[]) => {
      const notes = await play(({ kernel, app, store, note }) => {
        const network = new Network(kernel, { latency: () => ({ minUs: 100, tailUs: 900 }) });
        for (const id of ids) {
          kernel.schedule(id * 100, app, kernel.createCause(id), () => {
            network.send(app, store, () => {
              network.send(store, app, () => note(`reply to ${id}`));
            });
          });
        }
      });
      return notes.sort();
    };
    const all = await arrivals([1, 2, 3, 4]);
    expect(all).toHaveLength(4);
    expect(await arrivals([1, 2, 4])).toEqual(all.filter((note) => !note.endsWith(' 3')));
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
