// Runs single seeds for a campaign: draws the scenario of a seed, has it judged, and reduces the
// outcome to plain data that can cross threads. A run that goes wrong by itself (an escape) becomes
// a fault with its stack; it never ends the thread.

import type { Scenario } from '../../sim/scenario/scenario.ts';
import { drawScenario } from '../arbitraries/scenario.ts';
import { createCheckersFor } from '../invariants/index.ts';
import { marks } from '../reached.ts';
import { loadClient } from '../subjects/ioredis-clients.ts';
import { extrasFor } from './extra.ts';
import { judgeScenario, type Rig } from './judge.ts';
import { loadSubject } from './load-subject.ts';
import type { CampaignSettings, RunSettings, ScenarioSource } from './settings.ts';
import type { SeedFault, SeedResult } from './tally.ts';

/**
 * Loads subject and client, before any run; rejects with the loader's error. With a source, contract
 * and policies have to name the same limits.
 */
export async function createRig(
  settings: RunSettings & { readonly source?: ScenarioSource },
): Promise<Rig> {
  loadClient(settings.client);
  const subject = await loadSubject(settings.subject, settings.source);
  const { transport, client, drive } = settings;
  return {
    subject,
    createCheckers: createCheckersFor(subject),
    settings: { transport, client, drive },
  };
}

/** The scenario a campaign runs for a seed. */
export function scenarioOf(source: ScenarioSource, seed: number): Scenario {
  if (source.kind === 'given') return { ...source.scenario, seed };
  return drawScenario(seed, {
    ...(source.policies === undefined ? {} : { policies: source.policies }),
    ...(source.requests === undefined ? {} : { requests: source.requests }),
  });
}

export async function runSeed(
  rig: Rig,
  settings: Pick<CampaignSettings, 'source' | 'extras'>,
  seed: number,
): Promise<SeedResult> {
  try {
    const scenario = scenarioOf(settings.source, seed);
    const extras = settings.extras ? extrasFor(rig.subject, seed) : [];
    const { report, violations, evaluations } = await judgeScenario(rig, scenario, extras);
    return {
      kind: 'ran',
      seed,
      ending: report.ending,
      violations,
      evaluations,
      reached: report.summary.reached,
      required: requiredMarks(scenario, rig.settings.transport),
      overshoot: report.summary.overshoot,
      verdictDigest: report.verdictDigest,
      events: report.events,
      decisions: report.decisions,
      simulatedSeconds: report.simulatedSeconds,
    };
  } catch (error) {
    return describeFault(seed, error);
  }
}

/** Marks that a campaign with this scenario in it has to reach. */
function requiredMarks(scenario: Scenario, transport: 'wire' | 'direct'): string[] {
  return marks
    .filter((mark) => mark.transport === undefined || mark.transport === transport)
    .filter((mark) => mark.requires(scenario))
    .map(({ name }) => name);
}

/** An error of the run itself as plain data. */
export function describeFault(seed: number, error: unknown): SeedFault {
  if (!(error instanceof Error)) {
    return { kind: 'fault', seed, code: 'unknown', message: String(error), stack: String(error) };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return { kind: 'fault', seed, code, message: error.message, stack: error.stack ?? error.message };
}
