// What runs in each thread of a campaign. The platform must be wrapped before anything under test
// is loaded, so that import comes first. The settings arrive once, with the thread.

import '../../sim/kernel/platform.ts';
import { workerData } from 'node:worker_threads';
import type { Rig } from './judge.ts';
import { createRig, describeFault, runSeed as runSeedWith } from './seed-runner.ts';
import type { CampaignSettings } from './settings.ts';
import type { SeedResult } from './tally.ts';

// Tinypool hands a thread its own data first and ours second.
const [, settings]: [unknown, CampaignSettings] = workerData;
let rig: Promise<Rig> | undefined;

export async function runSeed(seed: number): Promise<SeedResult> {
  rig ??= createRig(settings);
  let loaded: Rig;
  try {
    loaded = await rig;
  } catch (error) {
    return describeFault(seed, error);
  }
  return runSeedWith(loaded, settings, seed);
}
