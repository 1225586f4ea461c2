// Records the probes' replies from a real Redis into probes.json. Run it after changing probes:
//   npx tsx properties/conformance/record.ts

import { readFileSync, writeFileSync } from 'node:fs';
import { createRealArm } from './arms.ts';
import { runProbe } from './probe.ts';
import { allProbes } from './probes/index.ts';
import { findInstalledVersion, startRealRedis } from './real-redis.ts';

const file = new URL('probes.json', import.meta.url);
if (findInstalledVersion() !== undefined) {
  const server = await startRealRedis();
  const recorded = [];
  for (const probe of allProbes) {
    const arm = await createRealArm(server.port);
    recorded.push({ ...probe, replies: await runProbe(arm, probe) });
    await arm.close();
  }
  await server.stop();
  writeFileSync(file, `${JSON.stringify(recorded, null, 1)}\n`);
  const bytes = readFileSync(file).length;
  process.stdout.write(`${recorded.length} probes, ${bytes} bytes\n`);
}
