// Records what a real Redis answers to the Lua probes, errors word for word, into lua-probes.json. Run it
// after changing them: npx tsx properties/conformance/record-lua-probes.ts

import { writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { LUA_PROBE_SCRIPTS } from './lua-probe-scripts.ts';
import { findInstalledVersion, recordedVersion, startRealRedis } from './real-redis.ts';

const OUTPUT = new URL('./lua-probes.json', import.meta.url);

/** A reply as JSON: strings are latin1, an error is an object. */
type RecordedReply = null | number | string | RecordedReply[] | { readonly error: string };

if (findInstalledVersion() !== undefined) await recordAll();

async function recordAll(): Promise<void> {
  const server = await startRealRedis();
  const redis = new Redis({ port: server.port });
  try {
    const probes: { name: string; script: string; reply: RecordedReply }[] = [];
    for (const [topic, scripts] of Object.entries(LUA_PROBE_SCRIPTS)) {
      for (const [index, script] of scripts.entries()) {
        const reply = await evaluate(redis, script);
        probes.push({ name: `${topic} ${index + 1}`, script, reply });
      }
    }
    const lines = probes.map((probe) => JSON.stringify(probe));
    writeFileSync(OUTPUT, `{"redis":"${recordedVersion}","probes":[\n${lines.join(',\n')}\n]}\n`);
    process.stdout.write(`${probes.length} probes recorded from Redis ${recordedVersion}.\n`);
  } finally {
    redis.disconnect();
    await server.stop();
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
