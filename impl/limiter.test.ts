import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Decision } from './decision.ts';
import { createLimiter, type LimiterOptions } from './limiter.ts';
import { createErrorReply, StandInClient } from './stand-in-client.test.fixture.ts';
import { TOKEN_BUCKET_SCRIPT } from './store/script.ts';

const policies = {
  revision: 3,
  limits: [
    {
      id: 'read',
      match: { method: 'GET', route: '/orders/:id' },
      key: ['tenant' as const],
      rate: '100/min',
      burst: 20,
    },
    { id: 'none', match: { route: '/closed' }, key: [], rate: '0/min', burst: 5 },
    { id: 'shut', match: { route: '/shut' }, key: [], rate: '5/min', burst: 0 },
  ],
};
const allowed = [1, 19, 0, 600, 20, 0];
const noScript = createErrorReply('NOSCRIPT No matching script. Please use EVAL.');

describe('the limiter', () => {
  let client: StandInClient;
  const create = (options: Partial<LimiterOptions> = {}) =>
    createLimiter({ redis: client, policies, deadlineMs: 50, ...options });
  const order = { tenant: 'acme', method: 'GET', route: '/orders/17' };

  beforeEach(() => {
    vi.useFakeTimers();
    client = new StandInClient();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Lets promises settle, without moving the clock. */
  const turn = () => vi.advanceTimersByTimeAsync(0);

  it('sends one script with the key and the parameters of the limit', async () => {
    const decision = create().check(order, { cost: 2 });
    expect(client.sent).toHaveLength(1);
    expect(client.sent[0]).toMatchObject({
      command: 'evalsha',
      args: [
        TOKEN_BUCKET_SCRIPT.sha,
        1,
        expect.stringMatching(/^weir:\{acme\}:read:[0-9a-f]{8}$/),
        ...['2', '3', '5000', '3', '20'],
      ],
    });
    client.sent[0]?.reply([1, 18, 0, 1200, 20, 0]);
    expect(await decision).toEqual({
      kind: 'allowed',
      cost: 2,
      delayMs: 0,
      remaining: 18,
      resetMs: 1200,
      binding: 'read',
      limits: [
        {
          id: 'read',
          remaining: 18,
          capacity: 20,
          resetMs: 1200,
          rate: { tokens: 100, periodMs: 60_000 },
          notes: [],
        },
      ],
      wouldBlock: [],
      degraded: false,
      source: 'store',
    });
    expect(client.sent).toHaveLength(1);
  });

  it('allows what no limit matches, without the store', async () => {
    const decision = await create().check({ method: 'POST', route: '/orders/17' });
    expect(decision).toMatchObject({ kind: 'allowed', source: 'none', binding: undefined });
    expect(client.sent).toHaveLength(0);
  });

  it.each(['/closed', '/shut'])('blocks %s, a limit of zero, without the store', async (route) => {
    const limiter = create();
    for (const cost of [0, 1]) {
      const decision = await limiter.check({ route }, { cost });
      expect(decision).toMatchObject({ kind: 'denied', reason: 'limit-zero', remaining: 0 });
      expect(decision).not.toHaveProperty('retryAfterMs');
    }
    expect(client.sent).toHaveLength(0);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '1', null])(
    'rejects a cost of %s as a mistake of the caller',
    async (cost) => {
      const options = { cost: JSON.parse(JSON.stringify({ cost })).cost ?? cost };
      const rejected = create().check({ route: '/nowhere' }, options);
      await expect(rejected).rejects.toMatchObject({ name: 'UsageError', code: 'invalid-cost' });
      expect(client.sent).toHaveLength(0);
    },
  );

  it('rejects a descriptor with a part that is no string', async () => {
    const descriptor = { ...order, ...JSON.parse('{"tenant":7}') };
    await expect(create().check(descriptor)).rejects.toMatchObject({ code: 'invalid-descriptor' });
  });

  it.each([{ deadlineMs: 0 }, { deadlineMs: 1.5 }, { keyPrefix: '' }, { keyPrefix: 'a{b}' }])(
    'refuses the options %o',
    (options) => {
      expect(() => create(options)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    },
  );

  it('sends the text once when the store does not know the script', async () => {
    const decision = create().check(order);
    client.sent[0]?.fail(noScript);
    await turn();
    expect(client.sent.map(({ command }) => command)).toEqual(['evalsha', 'eval']);
    const [, again] = client.sent;
    expect(again?.args[0]).toBe(TOKEN_BUCKET_SCRIPT.text);
    expect(again?.args.slice(1)).toEqual(client.sent[0]?.args.slice(1));
    again?.fail(noScript);
    expect(await decision).toMatchObject({ failure: { code: 'store-error' } });
    expect(client.sent).toHaveLength(2);
  });

  it('sends nothing for a check that has settled', async () => {
    const decision = create().check(order);
    await vi.advanceTimersByTimeAsync(50);
    expect(await decision).toMatchObject({ failure: { code: 'deadline' } });
    client.sent[0]?.fail(noScript);
    await turn();
    expect(client.sent).toHaveLength(1);
  });

  it('denies at its deadline, not before, and drops the reply that comes later', async () => {
    const limiter = create();
    const settled: Decision[] = [];
    void limiter.check(order).then((decision) => settled.push(decision));
    await vi.advanceTimersByTimeAsync(48);
    expect(settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(settled).toMatchObject([
      { kind: 'denied', reason: 'store-unavailable', retryAfterMs: 1000, source: 'none' },
    ]);
    client.sent[0]?.reply(allowed);
    await turn();
    expect(settled).toHaveLength(1);
  });

  it('gives each of many checks its own deadline with one timer for all', async () => {
    const limiter = create();
    const settledAt: number[] = [];
    const startMs = performance.now();
    for (let index = 0; index < 10; index += 1) {
      void limiter.check(order).then(() => settledAt.push(performance.now() - startMs));
      // Once a deadline was missed there is the watch for a silent connection beside it.
      expect(vi.getTimerCount()).toBe(index < 8 ? 1 : 2);
      await vi.advanceTimersByTimeAsync(7);
    }
    client.sent[9]?.reply(allowed);
    await vi.advanceTimersByTimeAsync(200);
    expect(settledAt).toHaveLength(10);
    expect(Math.min(...settledAt)).toBe(50);
    for (const [index, atMs] of settledAt.sort((a, b) => a - b).entries()) {
      // The last was answered at 70 ms; the others expire 50 ms after they began.
      const dueMs = [50, 57, 64, 70, 71, 78, 85, 92, 99, 106][index] ?? 0;
      expect(Math.abs(atMs - dueMs)).toBeLessThanOrEqual(1);
    }
    expect(vi.getTimerCount()).toBe(1);
  });

  it('waits for the first connection, and sends in order once it is ready', async () => {
    client.status = 'connecting';
    const limiter = create();
    const ready = limiter.ready();
    const first = limiter.check(order);
    const second = limiter.check({ ...order, tenant: 'other' });
    await vi.advanceTimersByTimeAsync(40);
    expect(client.sent).toHaveLength(0);
    client.become('ready');
    await ready;
    expect(client.sent.map(({ args }) => args[2])).toEqual([
      expect.stringContaining('acme'),
      expect.stringContaining('other'),
    ]);
    for (const sent of client.sent) sent.reply(allowed);
    expect((await first).kind).toBe('allowed');
    expect((await second).kind).toBe('allowed');
  });

  it('never sends what waited in vain for the first connection', async () => {
    client.status = 'connecting';
    const limiter = create();
    const decision = limiter.check(order);
    await vi.advanceTimersByTimeAsync(50);
    expect(await decision).toMatchObject({ failure: { code: 'not-connected' } });
    client.become('ready');
    await turn();
    expect(client.sent).toHaveLength(0);
  });

  it('denies at once when a connection it had is gone', async () => {
    client.status = 'connecting';
    const limiter = create();
    client.become('ready');
    client.become('close');
    expect(await limiter.check(order)).toMatchObject({ failure: { code: 'not-connected' } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells a lost connection, an error of the store and foreign contents apart', async () => {
    const limiter = create();
    const errors = [
      new Error('Connection is closed.'),
      createErrorReply('OOM command not allowed'),
      createErrorReply('WEIRSTATE the key holds a damaged value'),
    ];
    const decisions = errors.map(() => limiter.check(order));
    for (const [index, error] of errors.entries()) client.sent[index]?.fail(error);
    expect((await Promise.all(decisions)).map(({ failure }) => failure?.code)).toEqual([
      'connection-lost',
      'store-error',
      'foreign-state',
    ]);
  });

  it.each([
    [undefined],
    [null],
    ['OK'],
    [[]],
    [[1, 2, 3]],
    [[1, 2, 3, 4, 5, '0']],
    [[7, 0, 0, 0, 0, 0]],
  ])('admits nobody on the reply %j', async (reply) => {
    const decision = create().check(order);
    client.sent[0]?.reply(reply);
    expect(await decision).toMatchObject({ kind: 'denied', failure: { code: 'store-error' } });
  });

  it('gives up a connection that is silent for a second after a missed deadline', async () => {
    const limiter = create();
    void limiter.check(order);
    await vi.advanceTimersByTimeAsync(50 + 999);
    expect(client.disconnects).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(client.disconnects).toEqual([true]);
  });

  it('keeps a connection that is merely late', async () => {
    const limiter = create();
    void limiter.check(order);
    await vi.advanceTimersByTimeAsync(900);
    client.sent[0]?.reply(allowed);
    await vi.advanceTimersByTimeAsync(5000);
    expect(client.disconnects).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives up a handshake that takes two seconds', async () => {
    client.status = 'connecting';
    create();
    client.become('connect');
    await vi.advanceTimersByTimeAsync(1999);
    expect(client.disconnects).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(client.disconnects).toEqual([true]);
  });

  it('settles what is pending on close, and leaves no timer', async () => {
    const limiter = create();
    const pending = [limiter.check(order), limiter.check(order)];
    await limiter.close();
    expect((await Promise.all(pending)).map(({ failure }) => failure?.code)).toEqual([
      'closed',
      'closed',
    ]);
    expect(vi.getTimerCount()).toBe(0);
    for (const sent of client.sent) sent.reply(allowed);
    await turn();
    expect(await limiter.check(order)).toMatchObject({ failure: { code: 'closed' } });
    expect(client.sent).toHaveLength(2);
  });

  it('closes in bounded time when the client never says that it ended', async () => {
    client.disconnect = () => undefined;
    const closed = vi.fn();
    void create().close().then(closed);
    await vi.advanceTimersByTimeAsync(149);
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(closed).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('survives an error event of its connection, also after close', async () => {
    const limiter = create();
    client.emit('error', new Error('ECONNRESET'));
    await limiter.close();
    expect(() => client.emit('error', new Error('ECONNRESET'))).not.toThrow();
  });
});
