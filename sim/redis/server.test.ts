import { Redis } from 'ioredis';
import { Redis as Redis6 } from 'ioredis6';
import { describe, expect, it } from 'vitest';
import { Kernel } from '../kernel/kernel.ts';
import { simulate } from '../kernel/simulate.ts';
import { Network } from '../network/network.ts';
import { RedisServer } from './server.ts';
import { Store } from './store.ts';

const minute = 60_000_000;

/** Script service time of these tests, microseconds; other commands take a tenth. */
const scriptUs = 1000;

function createWorld() {
  const kernel = new Kernel({ seed: 1 });
  const network = new Network(kernel, { latency: () => ({ minUs: 100, tailUs: 0 }) });
  const storeHost = kernel.createHost('redis');
  const app = kernel.createHost('app');
  const store = new Store({ clockUs: () => storeHost.clock.wallUs() });
  const server = new RedisServer({
    kernel,
    host: storeHost,
    store,
    serviceUs: (command) => (command.startsWith('eval') ? scriptUs : scriptUs / 10),
  });
  const listen = (): void => {
    server.start();
    network.listen(storeHost, 6379, (connection) => server.accept(connection));
  };
  return { kernel, network, storeHost, app, store, server, listen };
}

type World = ReturnType<typeof createWorld>;

async function runWorld(body: (world: World) => void, untilUs = minute): Promise<World> {
  const world = createWorld();
  const ending = await simulate(world.kernel, { untilUs, drive: 'sync' }, () => {
    world.storeHost.spawn(world.listen);
    body(world);
  });
  expect(ending.kind).toBe('done');
  return world;
}

const options = { host: 'redis', port: 6379 };

/** What the tests need of either client. */
interface Client {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, px: 'PX', ms: number): Promise<unknown>;
  pttl(key: string): Promise<number>;
  hset(key: string, ...fields: string[]): Promise<number>;
  hgetall(key: string): Promise<Record<string, string>>;
  eval(text: string, keys: number, ...args: string[]): Promise<unknown>;
  evalsha(sha: string, keys: number, ...args: string[]): Promise<unknown>;
  script(command: 'LOAD' | 'load', text: string): Promise<unknown>;
  time(): Promise<unknown>;
  quit(): Promise<unknown>;
}

const clients: { name: string; create: () => Client }[] = [
  { name: 'ioredis 5', create: () => new Redis(options) },
  { name: 'ioredis 6', create: () => new Redis6(options) },
  { name: 'ioredis 6 on RESP2', create: () => new Redis6({ ...options, protocol: 2 }) },
];

describe.each(clients)('$name', ({ create }) => {
  it('shakes hands, runs commands and scripts, and says goodbye', async () => {
    const seen: unknown[] = [];
    const world = await runWorld(({ app }) => {
      app.spawn(async () => {
        const redis = create();
        await redis.set('k', 'v', 'PX', 50);
        seen.push(await redis.get('k'), await redis.pttl('k'));
        await new Promise((resolve) => setTimeout(resolve, 100));
        seen.push(await redis.get('k'));
        await redis.hset('h', 'a', '1', 'b', '2');
        seen.push(await redis.hgetall('h'));
        const sha = await redis.script('LOAD', "return {KEYS[1], ARGV[1], redis.call('GET', 'x')}");
        seen.push(await redis.evalsha(String(sha), 1, 'key', 'argument'));
        seen.push(await redis.evalsha('0'.repeat(40), 0).catch((error: Error) => error.message));
        seen.push(
          await redis.eval('return redis.call("nosuch")', 0).catch((e: Error) => e.message),
        );
        await redis.quit();
      });
    });
    expect(seen).toEqual([
      'v',
      50,
      null,
      { a: '1', b: '2' },
      ['key', 'argument', null],
      'NOSCRIPT No matching script. Please use EVAL.',
      expect.stringMatching(
        /^ERR Unknown Redis command called from script script: [0-9a-f]{40}, on @user_script:1\.$/,
      ),
    ]);
    expect([...world.store.unknownCommands]).toEqual([]);
    expect(world.app.leftovers()).toEqual({ timers: 0, unrefTimers: 0, sockets: 0 });
  });
});

describe('the one thread', () => {
  it('serves commands in the order of arrival, each for its service time', async () => {
    const ends: [string, number][] = [];
    await runWorld(({ kernel, server, store, storeHost }) => {
      const ask = (name: string, args: string[]): void => {
        const session = store.createSession();
        server.request(session, args, () => ends.push([name, kernel.nowUs]));
      };
      storeHost.spawn(() => {
        ask('a', ['EVAL', 'return 1', '0']);
        ask('b', ['PING']);
        ask('c', ['eval', 'return 1', '0']);
      });
    });
    expect(ends).toEqual([
      ['a', 1000],
      ['b', 1100],
      ['c', 2100],
    ]);
  });

  it('takes effect when service starts and answers when it ends', async () => {
    const seen: unknown[] = [];
    await runWorld(({ kernel, server, store, storeHost }) => {
      storeHost.spawn(() => {
        const text = "return redis.call('SET', KEYS[1], 'v')";
        server.request(store.createSession(), ['EVAL', text, '1', 'k'], () => {
          seen.push('answered', kernel.nowUs);
        });
        seen.push(store.raw('k')?.value);
      });
    });
    expect(seen).toEqual(['v', 'answered', scriptUs]);
  });

  it('acts under the cause of the message that asked', async () => {
    const causes: number[] = [];
    await runWorld(({ kernel, server, store, storeHost }) => {
      store.onScript = () => causes.push(kernel.cause.id);
      for (const id of [7, 8, 9]) {
        kernel.schedule(0, storeHost, kernel.createCause(id), () => {
          server.request(store.createSession(), ['EVAL', 'return 1', '0'], () => {
            causes.push(kernel.cause.id);
          });
        });
      }
    });
    expect(causes).toEqual([7, 7, 8, 8, 9, 9]);
  });

  it('keeps its backlog over a pause and loses it in a crash', async () => {
    const answered: string[] = [];
    await runWorld(({ kernel, server, store, storeHost, listen }) => {
      const ask = (name: string): void =>
        server.request(store.createSession(), ['PING'], () => answered.push(name));
      storeHost.spawn(() => {
        ask('before');
        ask('waiting');
        storeHost.pause(1_000_000);
      });
      kernel.schedule(500_000, kernel.world, kernel.cause, () => {
        expect(server.backlog).toBe(1);
        expect(answered).toEqual([]);
      });
      kernel.schedule(2_000_000, storeHost, kernel.cause, () => {
        expect(answered).toEqual(['before', 'waiting']);
        ask('lost');
        ask('lost too');
        storeHost.crash();
        storeHost.restart(() => {
          listen();
          ask('after');
        });
      });
    });
    expect(answered).toEqual(['before', 'waiting', 'after']);
  });
});

describe('a restart', () => {
  it('forgets scripts and keeps data, unless the data is lost too', async () => {
    const world = await runWorld(({ storeHost, store, server, listen }) => {
      storeHost.spawn(() => {
        const session = store.createSession();
        server.request(session, ['SET', 'k', 'v'], () => {
          server.request(session, ['SCRIPT', 'LOAD', 'return 1'], () => {
            storeHost.restart(listen);
          });
        });
      });
    });
    const session = world.store.createSession();
    const sha = 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db';
    expect(world.store.execute(session, ['GET', 'k'])).toBe('v');
    expect(world.store.execute(session, ['SCRIPT', 'EXISTS', sha])).toEqual([0]);
    world.store.flushData();
    expect(world.store.execute(session, ['GET', 'k'])).toBe(null);
  });
});

describe('an endless script', () => {
  it('holds the thread, then leaves others BUSY until it is killed, and hears of it', async () => {
    const seen: [string, unknown, number][] = [];
    await runWorld(({ kernel, app }) => {
      app.spawn(async () => {
        const looping = new Redis(options);
        const other = new Redis(options);
        const note = (name: string, value: unknown): void => {
          seen.push([name, value, Math.floor(kernel.nowUs / 1_000_000)]);
        };
        await other.set('k', 'v');
        const ended = looping
          .eval('while true do end', 0)
          .catch((error: Error) => note('script', error.message));
        const sameConnection = looping.get('k').then((value) => note('after', value));
        await other.get('k').catch((error: Error) => note('get', error.message));
        note('kill', await other.script('KILL'));
        note('get', await other.get('k'));
        await Promise.all([ended, sameConnection]);
        looping.disconnect();
        other.disconnect();
      });
    });
    const busy =
      'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.';
    expect(seen).toEqual([
      ['get', busy, 5],
      ['script', expect.stringMatching(/^ERR Script killed by user with SCRIPT KILL/), 5],
      ['kill', 'OK', 5],
      ['after', 'v', 5],
      ['get', 'v', 5],
    ]);
  });

  it('answers a direct client nothing until it is killed', async () => {
    const answers: unknown[] = [];
    await runWorld(({ kernel, server, store, storeHost }) => {
      storeHost.spawn(() => {
        server.request(store.createSession(), ['EVAL', 'while true do end', '0'], (reply) => {
          answers.push(reply, kernel.nowUs);
        });
        kernel.schedule(20_000_000, storeHost, kernel.cause, () => {
          server.request(store.createSession(), ['SCRIPT', 'KILL'], () => {});
        });
      });
    });
    expect(answers).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^ERR Script killed/) }),
      20_000_000,
    ]);
  });

  it('cannot be killed once it has written', async () => {
    const world = createWorld();
    const session = world.store.createSession();
    const text = "redis.call('SET', KEYS[1], 'v') while true do end";
    expect(world.store.execute(session, ['EVAL', text, '1', 'k'])).toMatchObject({ kind: 'none' });
    const other = world.store.createSession();
    expect(world.store.execute(other, ['SCRIPT', 'KILL'])).toMatchObject({
      message: expect.stringMatching(/^UNKILLABLE /),
    });
    expect(world.store.execute(other, ['GET', 'k'])).toMatchObject({
      message: expect.stringMatching(/^BUSY /),
    });
    world.store.restart();
    expect(world.store.execute(other, ['GET', 'k'])).toBe('v');
  });
});

describe('a connection', () => {
  it('runs what has arrived although the connection was reset', async () => {
    const world = await runWorld(({ app, kernel, network, storeHost }) => {
      app.spawn(() => {
        const redis = new Redis({ ...options, retryStrategy: () => null });
        redis.on('error', () => {});
        redis.on('ready', () => {
          redis.set('first', '1').catch(() => {});
          redis.set('second', '2').catch(() => {});
          // After the bytes have arrived, and before the first command's service has ended.
          kernel.schedule(150, kernel.world, kernel.cause, () => {
            network.resetConnections(app, storeHost);
          });
        });
      });
    });
    const session = world.store.createSession();
    expect(world.store.execute(session, ['MGET', 'first', 'second'])).toEqual(['1', '2']);
  });

  it('gives one reply stream however the requests are cut', async () => {
    const answers: unknown[] = [];
    for (const bytes of [1, 3, 7, 1000]) {
      await runWorld(({ app, network, storeHost }) => {
        network.fragment(app, storeHost, bytes);
        network.fragment(storeHost, app, bytes);
        app.spawn(async () => {
          const redis = new Redis(options);
          await redis.hset('h', 'a', 'x'.repeat(100));
          answers.push(await redis.hgetall('h'), await redis.eval('return {1,{2,"3"}}', 0));
          redis.disconnect();
        });
      });
    }
    const once = [{ a: 'x'.repeat(100) }, [1, [2, '3']]];
    expect(answers).toEqual([...once, ...once, ...once, ...once]);
  });
});
