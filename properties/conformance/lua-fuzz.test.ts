// A short differential fuzz of sim/lua against a real Redis on every test run. A longer hunt:
// WEIR_LUA_FUZZ=200000 npx vitest run --config .config/vitest.config.ts properties/conformance/lua-fuzz

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateWith, FUZZ_FAMILIES, type FuzzFamilyName, fuzzLua } from './lua-fuzz.ts';
import { findInstalledVersion, type RealRedis, startRealRedis } from './real-redis.ts';

const COUNTS: Readonly<Record<FuzzFamilyName, number>> = {
  numbers: 20_000,
  formats: 5000,
  patterns: 3000,
  sorts: 1000,
  tables: 1000,
  conversions: 3000,
  programs: 300,
};
const wanted = Number(process.env['WEIR_LUA_FUZZ'] ?? 0);
const seed = Number(process.env['WEIR_LUA_FUZZ_SEED'] ?? 1);
const isInstalled = findInstalledVersion() !== undefined;

describe.skipIf(!isInstalled)('Lua against a running Redis', () => {
  let server: RealRedis;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRealRedis();
    redis = new Redis({ port: server.port });
  });

  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  for (const name of Object.keys(FUZZ_FAMILIES).filter(isFamily)) {
    it(`agrees on random ${name}`, { timeout: 600_000 }, async () => {
      const count = wanted > 0 ? wanted : COUNTS[name];
      expect(await fuzzLua(name, { seed, count, real: evaluateWith(redis) })).toEqual([]);
    });
  }
});

function isFamily(name: string): name is FuzzFamilyName {
  return Object.hasOwn(FUZZ_FAMILIES, name);
}
