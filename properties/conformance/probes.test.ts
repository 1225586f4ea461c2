import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRealArm, createSimulatedArm } from './arms.ts';
import { type RecordedProbe, runProbe } from './probe.ts';
import { allProbes } from './probes/index.ts';
import { findInstalledVersion, type RealRedis, startRealRedis } from './real-redis.ts';

const recorded: readonly RecordedProbe[] = JSON.parse(
  readFileSync(new URL('probes.json', import.meta.url), 'utf8'),
);

it('has recorded every probe as it is written now', () => {
  const written = recorded.map(({ name, lines }) => ({ name, lines }));
  expect(written).toEqual(allProbes);
  expect(recorded.length).toBeGreaterThanOrEqual(150);
});

describe('the simulated Redis answers as was recorded', () => {
  it.each(recorded)('$name', async (probe) => {
    const arm = createSimulatedArm();
    expect(await runProbe(arm, probe)).toEqual(probe.replies);
  });
});

describe.skipIf(findInstalledVersion() === undefined)(
  'a real Redis answers as was recorded',
  () => {
    let server: RealRedis | undefined;
    beforeAll(async () => {
      server = await startRealRedis();
    });
    afterAll(async () => {
      await server?.stop();
    });
    it.each(recorded)('$name', async (probe) => {
      const arm = await createRealArm(server?.port ?? 0);
      expect(await runProbe(arm, probe)).toEqual(probe.replies);
      await arm.close();
    });
  },
);
