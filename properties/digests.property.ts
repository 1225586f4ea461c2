// What must not change a run: the process, the drive, the client's version, the transport. The first
// two leave the whole history as it is, the last two every decision.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type RunOptions, type RunReport, runScenario } from '../sim/run/run.ts';
import type { Fault, Scenario } from '../sim/scenario/scenario.ts';
import { materialise } from '../sim/workload/materialise.ts';
import { drawScenario } from './arbitraries/scenario.ts';
import { createCheckersFor } from './invariants/index.ts';
import { createWeirSubject } from './subjects/weir.ts';

const subject = createWeirSubject();
const createCheckers = createCheckersFor(subject);

function run(scenario: Scenario, options: Partial<RunOptions> = {}): Promise<RunReport> {
  return runScenario({ scenario, subject, createCheckers, ...options });
}

/** Faults after which a client has to connect anew, which clients do each in their way. */
const connectionFaults: ReadonlySet<Fault['kind']> = new Set([
  'partition',
  'black-hole',
  'reset',
  'reply-lost',
  'reset-mid-script',
  'refuse-connections',
  'store-restart',
  'fragmentation',
  'crash',
  'pause',
  'policy-change',
]);

/** Checks begin only once every replica is connected: clients shake hands differently. */
const connectedUs = 1_000_000;

function withoutConnectionFaults(scenario: Scenario): Scenario {
  const requests = materialise(scenario.workload, scenario.policies, scenario.seed);
  return {
    ...scenario,
    faults: scenario.faults.filter(({ kind }) => !connectionFaults.has(kind)),
    workload: { kind: 'requests', requests: requests.filter(({ atUs }) => atUs >= connectedUs) },
  };
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

describe('digests', () => {
  test.each(seeds)('seed %i has one history, run twice', async (seed) => {
    const scenario = drawScenario(seed);
    const first = await run(scenario);
    const second = await run(scenario);
    expect(second.historyDigest).toBe(first.historyDigest);
  });

  test.each(seeds.slice(0, 3))('seed %i has one history under both drives', async (seed) => {
    const scenario = drawScenario(seed);
    const sync = await run(scenario, { drive: 'sync' });
    const turns = await run(scenario, { drive: 'turns' });
    expect(turns.historyDigest).toBe(sync.historyDigest);
  });

  test.each(seeds)('seed %i has one verdict for both clients and transports', async (seed) => {
    const scenario = withoutConnectionFaults(drawScenario(seed));
    const wire5 = await run(scenario, { client: 5 });
    const wire6 = await run(scenario, { client: 6 });
    const direct = await run(scenario, { transport: 'direct' });
    expect(wire5.decisions).toBeGreaterThan(50);
    expect(wire6.verdictDigest).toBe(wire5.verdictDigest);
    expect(direct.verdictDigest).toBe(wire5.verdictDigest);
  });

  test('another process finds the same digest, with one job or two', () => {
    const weir = fileURLToPath(new URL('../dist/bin/weir.js', import.meta.url));
    expect(existsSync(weir), 'run npm run build first').toBe(true);
    const check = (...more: string[]): string => {
      const args = [weir, 'check', '--seed', '7', '--seeds', '6', '--json', ...more];
      const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
      return (JSON.parse(output) as { digest: string }).digest;
    };
    const digest = check('--jobs', '1');
    expect(check('--jobs', '1')).toBe(digest);
    expect(check('--jobs', '2')).toBe(digest);
    expect(check('--drive', 'turns')).toBe(digest);
  });
});
