// Mutants of how the limiter talks to the store.

import type { Mutant, MutantEdit } from './mutant.ts';

/** What the limiter asks of its connection. */
const safeOptions = `autoResendUnfulfilledCommands: false,
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,`;

/** Replaces those options; the client's own default for retries comes with either mistake. */
function withOptions(resend: boolean, queue: boolean): MutantEdit {
  return {
    file: 'store/duplicate-client.js',
    find: safeOptions,
    replace: `autoResendUnfulfilledCommands: ${resend},
        enableOfflineQueue: ${queue},
        maxRetriesPerRequest: 20,`,
  };
}

// The production script's decision, made in JavaScript on a state read before and written after.
const readThenWrite = `async function readThenWrite(client, key, cost, [revision, num, den, capacity]) {
    const [state, time] = await Promise.all([client.getBuffer(key), client.time()]);
    const now = Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000);
    let [level, remainder, last] = [capacity * 1e6, 0, now];
    if (state !== null) {
        const numbers = [];
        for (let at = 1, value = 0, scale = 1; at < state.length; at += 1) {
            value += (state[at] % 128) * scale;
            scale *= 128;
            if (state[at] < 128) {
                numbers.push(value);
                [value, scale] = [0, 1];
            }
        }
        [, num, den, capacity, level, remainder, last] = numbers;
        const grown = BigInt(Math.max(0, now - last)) * BigInt(num) + BigInt(remainder);
        level += Number(grown / BigInt(den));
        remainder = Number(grown % BigInt(den));
        if (level >= capacity * 1e6) [level, remainder] = [capacity * 1e6, 0];
        last = Math.max(last, now);
    }
    const wait = (deficit) => Number((BigInt(deficit) * BigInt(den) - BigInt(remainder) + BigInt(num - 1)) / BigInt(num));
    const isAllowed = level >= cost * 1e6;
    const retryAfter = isAllowed ? 0 : cost > capacity ? -1 : wait(cost * 1e6 - level) + last - now;
    if (isAllowed) level -= cost * 1e6;
    const reset = wait(capacity * 1e6 - level) + last - now;
    if (isAllowed && cost > 0) {
        const bytes = [1];
        for (let value of [revision, num, den, capacity, level, remainder, last]) {
            for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
            bytes.push(value);
        }
        await client.set(key, Buffer.from(bytes), 'PX', Math.max(1, reset));
    }
    return [isAllowed ? 1 : cost > capacity ? 2 : 0, Math.floor(level / 1e6), retryAfter, reset, capacity, 0];
}`;

export const clientMutants: readonly Mutant[] = [
  {
    name: 'read-then-write',
    sentence: 'The bucket is read, decided on in the replica and written back, without a script.',
    edits: [
      {
        file: 'limiter.js',
        find: `this.#connection.client
            .evalsha(TOKEN_BUCKET_SCRIPT.sha, 1, check.key, String(check.cost), revision, num, den, capacity)`,
        replace:
          'readThenWrite(this.#connection.client, check.key, check.cost, [revision, num, den, capacity].map(Number))',
      },
      {
        file: 'limiter.js',
        find: 'function isScriptUnknown(',
        replace: `${readThenWrite}
function isScriptUnknown(`,
      },
    ],
  },
  {
    name: 'client-resend',
    sentence: 'The client sends a script again when its connection is lost before the reply.',
    edits: [withOptions(true, false)],
  },
  {
    name: 'offline-queue',
    sentence: 'Scripts are queued in the client while the store is away, and run long after.',
    edits: [
      withOptions(false, true),
      {
        file: 'store/connection.js',
        find: "return this.client.status === 'ready';",
        replace: "return this.client.status !== 'end';",
      },
    ],
  },
];
