// Every invariant as a property under fast-check: drawn scenarios, the production limiter, the real
// client. A failure is shrunk by fast-check, over the shape of the scenario, and printed with the
// seed and path that bring it back. `weir check` runs the same invariants over many more seeds.

import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { runScenario } from '../sim/run/run.ts';
import type { Scenario } from '../sim/scenario/scenario.ts';
import { scenarioArbitrary } from './arbitraries/scenario.ts';
import { extras } from './campaign/extra.ts';
import { createCheckersFor, invariants } from './invariants/index.ts';
import { createWeirSubject } from './subjects/weir.ts';

const subject = createWeirSubject();
const createCheckers = createCheckersFor(subject);
const settings = { transport: 'wire', client: 5, drive: 'sync' } as const;
const rig = { subject, createCheckers, settings };

/** A fixed seed: the same scenarios for everybody, until somebody changes the arbitraries. */
const fastCheckSeed = 20_260_101;
const numRuns = 10;

async function holds(scenario: Scenario, name: string): Promise<void> {
  const report = await runScenario({ scenario, subject, createCheckers, ...settings });
  const broken = report.violations.find(({ invariant }) => invariant === name);
  if (broken !== undefined) throw new Error(broken.message);
}

async function extraHolds(scenario: Scenario, extra: (typeof extras)[number]): Promise<void> {
  const report = await runScenario({ scenario, subject, createCheckers, ...settings });
  const { violation } = await extra.evaluate(rig, scenario, report);
  if (violation !== undefined) throw new Error(violation.message);
}

describe('invariants of one run', () => {
  for (const [index, invariant] of invariants.entries()) {
    test(invariant.name, async () => {
      const property = fc.asyncProperty(scenarioArbitrary(), (scenario) =>
        holds(scenario, invariant.name),
      );
      // Another seed for each, so that together they see more scenarios.
      await fc.assert(property, { seed: fastCheckSeed + index, numRuns });
    });
  }
});

describe('relations between runs', () => {
  for (const [index, extra] of extras.entries()) {
    test(extra.name, async () => {
      const property = fc.asyncProperty(scenarioArbitrary(), (scenario) =>
        extraHolds(scenario, extra),
      );
      await fc.assert(property, { seed: fastCheckSeed + 100 + index, numRuns });
    });
  }
});
