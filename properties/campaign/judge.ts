// Runs one scenario and says what is broken: first by the invariants that follow the run, then by
// those relations it is put to. A campaign, the shrinker and a replay all judge through here, so a
// failure found by one is the same failure for the others.

import type { HistoryEvent } from '../../sim/run/history.ts';
import type { CreateCheckers, Violation } from '../../sim/run/invariant.ts';
import { type RunReport, runScenario } from '../../sim/run/run.ts';
import type { Scenario } from '../../sim/scenario/scenario.ts';
import type { Subject } from '../../sim/subject.ts';
import type { Relation } from './relation.ts';
import type { RunSettings } from './settings.ts';

/** A subject that is loaded, with everything needed to run it. */
export interface Rig {
  readonly subject: Subject;
  readonly createCheckers: CreateCheckers;
  readonly settings: Pick<RunSettings, 'transport' | 'client' | 'drive'>;
}

export interface Judgement {
  readonly report: RunReport;
  /** Of the run and of the relations; the run's own come first. */
  readonly violations: readonly Violation[];
  /** Evaluations of the run and of the relations. */
  readonly evaluations: Readonly<Record<string, number>>;
}

/** Rejects with the run's own error when the run itself goes wrong (an escape). */
export async function judgeScenario(
  rig: Rig,
  scenario: Scenario,
  relations: readonly Relation[],
  record?: (event: HistoryEvent) => void,
): Promise<Judgement> {
  const report = await runScenario({
    scenario,
    subject: rig.subject,
    createCheckers: rig.createCheckers,
    ...rig.settings,
    ...(record === undefined ? {} : { record }),
  });
  const violations = [...report.violations];
  const evaluations = { ...report.summary.evaluations };
  for (const relation of violations.length > 0 ? [] : relations) {
    const verdict = await relation.evaluate({
      scenario,
      report,
      run: (other, transport) => runPlain(rig, other, transport),
    });
    evaluations[relation.name] = (evaluations[relation.name] ?? 0) + verdict.evaluations;
    if (verdict.broken !== undefined) {
      violations.push({
        invariant: relation.name,
        atUs: Math.round(report.simulatedSeconds * 1_000_000),
        message: verdict.broken,
      });
    }
  }
  return { report, violations, evaluations };
}

function runPlain(
  rig: Rig,
  scenario: Scenario,
  transport: 'wire' | 'direct' | undefined,
): Promise<RunReport> {
  return runScenario({
    scenario,
    subject: rig.subject,
    createCheckers: rig.createCheckers,
    ...rig.settings,
    ...(transport === undefined ? {} : { transport }),
  });
}
