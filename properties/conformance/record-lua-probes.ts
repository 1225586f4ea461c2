// Records what a real Redis 7.0.15 answers to the Lua probes: `npx tsx properties/conformance/record-lua-probes.ts`.
// Starts its own server on a free port and ends it. Replies go to lua-probes.json, errors word for word.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { LUA_PROBE_SCRIPTS } from './lua-probe-scripts.ts';

const OUTPUT = new URL('./lua-probes.json', import.meta.url);

/** A reply as JSON: strings are latin1, an error is an object. */
type RecordedReply = null | number | string | RecordedReply[] | { readonly error: string };

await main();

async function main(): Promise<void> {
  const port = await findFreePort();
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  const redis = new Redis({ port, maxRetriesPerRequest: 200, retryStrategy: () => 50 });
  redis.on('error', () => {});
  try {
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1];
    const probes: { name: string; script: string; reply: RecordedReply }[] = [];
    for (const [topic, scripts] of Object.entries(LUA_PROBE_SCRIPTS)) {
      for (const [index, script] of scripts.entries()) {
        const reply = await evaluate(redis, script);
        probes.push({ name: `${topic} ${index + 1}`, script, reply });
      }
    }
    const lines = probes.map((probe) => JSON.stringify(probe));
    writeFileSync(OUTPUT, `{"redis":"${version}","probes":[\n${lines.join(',\n')}\n]}\n`);
    console.log(`${probes.length} probes recorded from Redis ${version}.`);
  } finally {
    redis.disconnect();
    server.kill();
  }
}

async function evaluate(redis: Redis, script: string): Promise<RecordedReply> {
  try {
    return toRecorded(await redis.callBuffer('EVAL', Buffer.from(script, 'latin1'), '0'));
  } catch (error) {
    if (error instanceof Error) return { error: error.message };
    throw error;
  }
}

function toRecorded(reply: unknown): RecordedReply {
  if (reply === null || typeof reply === 'number') return reply;
  if (Buffer.isBuffer(reply)) return reply.toString('latin1');
  if (Array.isArray(reply)) return reply.map(toRecorded);
  if (reply instanceof Error) return { error: reply.message };
  throw new Error(`Expected a Redis reply, got ${String(reply)}.`);
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
