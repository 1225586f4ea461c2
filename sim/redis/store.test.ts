import { describe, expect, it } from 'vitest';
import { ErrorReply, type Reply } from './reply.ts';
import { type ScriptExecution, Store } from './store.ts';

function createStore() {
  const clock = { us: 1_767_225_600_000_000 };
  const store = new Store({ clockUs: () => clock.us });
  const session = store.createSession();
  const ask = (...args: string[]): Reply => store.execute(session, args);
  return { clock, store, session, ask };
}

describe('expiry', () => {
  it('lets a key live through its expiry millisecond and no longer', () => {
    const { clock, ask, store } = createStore();
    ask('SET', 'k', 'v', 'PX', '10');
    clock.us += 10_999;
    expect([ask('GET', 'k'), ask('PTTL', 'k')]).toEqual(['v', 0]);
    expect(store.raw('k')).toMatchObject({ value: 'v', type: 'string' });
    clock.us += 1;
    expect(store.raw('k')).toBeUndefined();
    expect([...store.keys()]).toEqual([]);
    expect([ask('GET', 'k'), ask('PTTL', 'k')]).toEqual([null, -2]);
  });

  it('follows the clock backwards too', () => {
    const { clock, ask } = createStore();
    ask('SET', 'k', 'v', 'PX', '10');
    clock.us -= 3_600_000_000;
    expect(ask('PTTL', 'k')).toBe(3_600_010);
  });

  it('is decided at the start of a script, while TIME goes on', () => {
    const us = { now: 1_767_225_600_000_000 };
    // Every look at the clock finds it a millisecond later.
    const store = new Store({ clockUs: () => (us.now += 1000) });
    const text = `
      redis.call('SET', KEYS[1], 'v', 'PX', 1)
      local first = redis.call('TIME')
      for _ = 1, 10 do redis.call('TIME') end
      local last = redis.call('TIME')
      return { redis.call('EXISTS', KEYS[1]), redis.call('PTTL', KEYS[1]),
        last[1] * 1000000 + last[2] - first[1] * 1000000 - first[2] }`;
    const session = store.createSession();
    expect(store.execute(session, ['EVAL', text, '1', 'k'])).toEqual([1, 0, 11_000]);
    expect(store.execute(session, ['EXISTS', 'k'])).toBe(0);
  });
});

describe('scripts', () => {
  it('are reported with what they did to the keys they were given', () => {
    const { store, ask, clock } = createStore();
    const seen: ScriptExecution[] = [];
    store.onScript = (execution) => seen.push(execution);
    ask('SET', 'a', '1');
    ask(
      'EVAL',
      "redis.call('SET', KEYS[1], '2', 'PX', 50) redis.call('SET', 'c', '3')",
      '2',
      'a',
      'b',
    );
    ask('EVAL', "redis.call('DEL', KEYS[1]) error('after')", '1', 'a');
    ask('EVALSHA', 'e'.repeat(40), '1', 'a');
    ask('EVAL', 'retur 1', '1', 'a');
    const storeMs = clock.us / 1000;
    expect(seen).toEqual([
      {
        keys: ['a', 'b'],
        failed: false,
        storeMs,
        changes: [
          { key: 'a', before: '1', after: '2', expiresAtMs: storeMs + 50 },
          { key: 'b', before: undefined, after: undefined, expiresAtMs: undefined },
        ],
      },
      {
        keys: ['a'],
        failed: true,
        error: expect.stringContaining('user_script:1: after'),
        storeMs,
        changes: [{ key: 'a', before: '2', after: undefined, expiresAtMs: undefined }],
      },
      { keys: [], failed: true, storeMs, changes: [] },
      {
        keys: ['a'],
        failed: true,
        error: expect.stringContaining('Error compiling script'),
        storeMs,
        changes: [{ key: 'a', before: undefined, after: undefined, expiresAtMs: undefined }],
      },
    ]);
  });

  it('are told on when they use a key they were not given', () => {
    const { store, ask } = createStore();
    const seen: string[] = [];
    store.onUndeclaredKey = (key, command) => seen.push(`${command} ${key}`);
    ask('EVAL', "return redis.call('GET', KEYS[1])", '1', 'a');
    ask('EVAL', "return redis.call('GET', KEYS[2])", '2', 'a', 'b');
    ask('EVAL', "redis.call('DEL', KEYS[1], 'x') return redis.call('GET', 'y')", '1', 'a');
    expect(seen).toEqual(['del x', 'get y']);
    expect([...store.undeclaredKeys]).toEqual([
      ['del', 1],
      ['get', 1],
    ]);
  });

  it('are known to one store and not to another, although they are compiled once', () => {
    const [one, other] = [createStore(), createStore()];
    const sha = one.ask('SCRIPT', 'LOAD', 'return 42');
    expect(one.ask('EVALSHA', String(sha), '0')).toBe(42);
    expect(other.ask('EVALSHA', String(sha), '0')).toBeInstanceOf(ErrorReply);
    one.store.flushScripts();
    expect(one.ask('EVALSHA', String(sha), '0')).toBeInstanceOf(ErrorReply);
  });

  it('keep nothing of their arguments from one run to the next', () => {
    const { ask } = createStore();
    const text = 'KEYS[2] = "changed" ARGV.x = 1 return {#KEYS, #ARGV, tostring(ARGV.y)}';
    const first = ask('EVAL', text, '1', 'a', 'b');
    expect(ask('EVAL', text, '1', 'a', 'b')).toEqual(first);
  });

  it('get a table of their own for each OK, whatever was done to another', () => {
    const { ask } = createStore();
    const change = "local r = redis.call('SET', KEYS[1], 1) r.ok = 'changed' r.more = 1 return r";
    const look = `
      local a, b = redis.call('SET', KEYS[1], 1), redis.call('SET', KEYS[1], 2)
      return { a.ok, b.ok, tostring(a.more), tostring(a == b) }`;
    expect(ask('EVAL', change, '1', 'k')).toMatchObject({ text: 'changed' });
    expect(ask('EVAL', look, '1', 'k')).toEqual(['OK', 'OK', 'nil', 'false']);
    expect(ask('EVAL', change, '1', 'k')).toMatchObject({ text: 'changed' });
    expect(ask('EVAL', look, '1', 'k')).toEqual(['OK', 'OK', 'nil', 'false']);
  });

  it('stop the harness when they would crash the real server', () => {
    const { ask } = createStore();
    expect(() => ask('EVAL', 'error({})', '0')).toThrow(/crashes Redis 7\.0\.15/);
  });

  it('stop the harness when they use what is not simulated', () => {
    const { ask } = createStore();
    expect(() => ask('EVAL', 'return cjson.encode({})', '0')).toThrow(/cjson/);
  });

  it('leave the store busy when they never end, by loops or by commands', () => {
    for (const text of ['while true do end', "while true do redis.call('TIME') end"]) {
      const { store, session, ask } = createStore();
      expect(ask('EVAL', text, '0')).toMatchObject({ kind: 'none' });
      expect(store.busySession).toBe(session);
      const other = store.createSession();
      const killed: Reply[] = [];
      store.onScriptKilled = (_session, reply) => killed.push(reply);
      expect(store.execute(other, ['SCRIPT', 'KILL'])).toMatchObject({ text: 'OK' });
      expect(killed).toMatchObject([{ message: /^ERR Script killed by user/ }]);
      expect(store.execute(other, ['GET', 'k'])).toBe(null);
    }
  });
});

describe('unknown commands', () => {
  it('are answered and counted, but for the one that clients ask of newer servers', () => {
    const { store, ask } = createStore();
    ask('LPUSH', 'k', 'v');
    ask('lpush', 'k', 'v');
    ask('CLIENT', 'LIST');
    expect(ask('CLIENT', 'SETINFO', 'LIB-NAME', 'x')).toBeInstanceOf(ErrorReply);
    expect([...store.unknownCommands]).toEqual([
      ['lpush', 2],
      ['client|list', 1],
    ]);
  });
});

describe('a scan', () => {
  it('visits every key that stays, whatever comes and goes meanwhile', () => {
    const { ask } = createStore();
    for (let index = 0; index < 100; index += 1) ask('SET', `stays:${index}`, 'v');
    const seen = new Set<string>();
    let cursor = '0';
    let turn = 0;
    do {
      const reply = ask('SCAN', cursor, 'COUNT', '7');
      const [next, keys] = Array.isArray(reply) ? reply : [];
      for (const key of Array.isArray(keys) ? keys : []) seen.add(key);
      cursor = String(next);
      turn += 1;
      ask('SET', `comes:${turn}`, 'v');
      ask('DEL', `comes:${turn - 3}`);
    } while (cursor !== '0');
    expect([...seen].filter((key) => key.startsWith('stays')).length).toBe(100);
  });
});
