import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMismatches } from './differential.ts';
import { areCommandRepliesEqual, createCommandCases } from './differential-commands.ts';
import { areScriptRepliesEqual, createScriptCases } from './differential-script.ts';
import { findInstalledVersion, type RealRedis, startRealRedis } from './real-redis.ts';

/** The whole number takes a minute; without WEIR_FULL=1 a tenth is tried. */
const isFull = process.env['WEIR_FULL'] === '1';
const scriptCases = isFull ? 50_000 : 5_000;
const commandCases = isFull ? 40_000 : 4_000;

describe.skipIf(findInstalledVersion() === undefined)('beside a real Redis', () => {
  let server: RealRedis | undefined;
  beforeAll(async () => {
    server = await startRealRedis();
  });
  afterAll(async () => {
    await server?.stop();
  });

  it(`runs the production script equally, ${scriptCases} times`, { timeout: 300_000 }, async () => {
    const cases = createScriptCases(1, scriptCases);
    expect(cases).toHaveLength(scriptCases + 1);
    expect(await findMismatches(server?.port ?? 0, cases, areScriptRepliesEqual)).toEqual([]);
  });

  it.each([1, 2, 3, 4])('answers random commands equally, seed %i', async (seed) => {
    const cases = createCommandCases(seed, commandCases / 4);
    expect(await findMismatches(server?.port ?? 0, cases, areCommandRepliesEqual)).toEqual([]);
  });
});
