// Runs one scenario and says what is broken: first by the invariants that follow the run, then by
// those extra properties it is put to. A campaign, the shrinker and a replay all judge through here,
// so a failure found by one is the same failure for the others.

import type { HistoryEvent } from '../../sim/run/history.ts';
import type { CreateCheckers, Violation } from '../../sim/run/invariant.ts';
import { type RunReport, runScenario } from '../../sim/run/run.ts';
import type { Scenario } from '../../sim/scenario/scenario.ts';
import type { Subject } from '../../sim/subject.ts';
import type { Extra } from './extra.ts';
import type { RunSettings } from './settings.ts';

/** A subject that is loaded, with everything needed to run it. */
export interface Rig {
  readonly subject: Subject;
  readonly createCheckers: CreateCheckers;
  readonly settings: Pick<RunSettings, 'transport' | 'client' | 'drive'>;
}

export interface Judgement {
  readonly report: RunReport;
  /** Of the run and of the extras; the run's own come first. */
  readonly violations: readonly Violation[];
  /** Evaluations of the run and of the extras. */
  readonly evaluations: Readonly<Record<string, number>>;
}

/**
 * Judges a scenario. Extras are put only to a run that holds by itself: what is broken already
 * needs no second reason.
 *
 * Rejects with the run's own error when the run itself goes wrong (an escape).
 */
export async function judgeScenario(
  rig: Rig,
  scenario: Scenario,
  extras: readonly Extra[],
  record?: (event: HistoryEvent) => void,
): Promise<Judgement> {
  const { subject, createCheckers, settings } = rig;
  const report = await runScenario({
    scenario,
    subject,
    createCheckers,
    ...settings,
    ...(record === undefined ? {} : { record }),
  });
  const violations = [...report.violations];
  const evaluations: Record<string, number> = { ...report.summary.evaluations };
  for (const extra of violations.length > 0 ? [] : extras) {
    const result = await extra.evaluate(rig, scenario, report);
    evaluations[extra.name] = (evaluations[extra.name] ?? 0) + result.evaluations;
    if (result.violation !== undefined) violations.push(result.violation);
  }
  return { report, violations, evaluations };
}
