// Checks per second of the whole: gateways, replicas, the real ioredis, sockets, RESP, the compiled
// script, and every invariant. On one core, since a run is one stretch of one thread.

import { performance } from 'node:perf_hooks';
import { runScenario } from '../../sim/run/run.ts';
import { createCheckersFor } from '../invariants/index.ts';
import { createWeirSubject } from '../subjects/weir.ts';
import { exactAnswer } from './fake-timers.ts';
import type { Contender } from './rounds.ts';
import { createStandardScenario, createVirtualMinuteScenario } from './standard-scenario.ts';

const subject = createWeirSubject();
const createCheckers = createCheckersFor(subject);

/** Simulated seconds of a round, at 1 000 checks each. */
const standardSeconds = 30;

export const fullSimulation: Contender = {
  name: 'full simulation',
  run: async () => {
    const scenario = createStandardScenario(standardSeconds);
    const startedMs = performance.now();
    const report = await runScenario({ scenario, subject, createCheckers });
    const seconds = (performance.now() - startedMs) / 1000;
    if (report.violations.length > 0) throw new Error(report.violations[0]?.message);
    return report.decisions / seconds;
  },
};

/** The case of `fake-timers.ts` in the full simulation: seconds, and how many were allowed. */
export async function runVirtualMinute(): Promise<{ seconds: number; allowed: number }> {
  const scenario = createVirtualMinuteScenario();
  const startedMs = performance.now();
  const report = await runScenario({ scenario, subject, createCheckers });
  const seconds = (performance.now() - startedMs) / 1000;
  let allowed = 0;
  for (const settled of report.settlements.all()) if (settled.allowed) allowed += 1;
  if (report.violations.length > 0 || allowed !== exactAnswer) {
    throw new Error(`Expected ${exactAnswer} allowed and no violation, got ${allowed}.`);
  }
  return { seconds, allowed };
}
