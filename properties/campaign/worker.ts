// What runs in each thread of a campaign. The platform must be wrapped before anything under test
// is loaded, so that import comes first. The settings arrive once, with the thread. An error of a
// run becomes data here: as an error it would lose half of itself on its way to the main thread.

import '../../sim/kernel/platform.ts';
import { workerData } from 'node:worker_threads';
import { refuseExit } from './exit-guard.ts';
import type { Rig } from './judge.ts';
import { type Recording, type RecordTask, recordScenario } from './recording.ts';
import { createRig, describeFault, runSeed as runSeedWith, scenarioOf } from './seed-runner.ts';
import type { CampaignSettings, RunSettings } from './settings.ts';
import { type ShrinkTask, type Shrunk, shrinkScenarioWith } from './shrinking.ts';
import type { SeedFault, SeedResult } from './tally.ts';

// Tinypool hands a thread its own data first and ours second.
const [, settings]: [unknown, CampaignSettings] = workerData;
refuseExit();
const rigs = new Map<string, Promise<Rig>>();

/** Runs one seed of the campaign. */
export async function runSeed(seed: number): Promise<SeedResult> {
  try {
    return await runSeedWith(await rigFor(settings), settings, seed);
  } catch (error) {
    return describeFault(seed, error);
  }
}

/** Runs any scenario and keeps its events. */
export async function record(task: RecordTask): Promise<Recording | SeedFault> {
  try {
    return await recordScenario(await rigFor(task.run), task.scenario, task.invariant);
  } catch (error) {
    return describeFault(task.scenario.seed, error);
  }
}

/** Makes the failure of a seed as small as it gets in the time given. */
export async function shrink(task: ShrinkTask): Promise<Shrunk | SeedFault> {
  try {
    const scenario = scenarioOf(settings.source, task.seed);
    return await shrinkScenarioWith(await rigFor(settings), scenario, task);
  } catch (error) {
    return describeFault(task.seed, error);
  }
}

/** Subjects are loaded once for each way of running them; traces may each ask for another. */
function rigFor({ subject, transport, client, drive }: RunSettings): Promise<Rig> {
  const key = JSON.stringify({ subject, transport, client, drive });
  const known = rigs.get(key);
  if (known !== undefined) return known;
  const rig = createRig({ subject, transport, client, drive });
  rigs.set(key, rig);
  return rig;
}
