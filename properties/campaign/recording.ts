// A run kept whole: its events beside its verdict. Replays and traces are made from these; a
// campaign, which only counts, is not.

import type { HistoryEvent } from '../../sim/run/history.ts';
import type { Violation } from '../../sim/run/invariant.ts';
import type { Scenario } from '../../sim/scenario/scenario.ts';
import { type Extra, extras } from './extra.ts';
import { judgeScenario, type Rig } from './judge.ts';
import type { RunSettings } from './settings.ts';

/** Plain data, so that it can cross threads. */
export interface Recording {
  readonly kind: 'recorded';
  readonly scenario: Scenario;
  readonly events: readonly HistoryEvent[];
  readonly violations: readonly Violation[];
  readonly digests: { readonly history: string; readonly verdict: string };
}

/** What to record. */
export interface RecordTask {
  readonly run: RunSettings;
  readonly scenario: Scenario;
  /** An invariant that needs runs of its own is judged only when it is named here. */
  readonly invariant: string | undefined;
}

export async function recordScenario(
  rig: Rig,
  scenario: Scenario,
  invariant: string | undefined,
): Promise<Recording> {
  const events: HistoryEvent[] = [];
  const judgement = await judgeScenario(rig, scenario, extrasNamed(invariant), (event) => {
    events.push(event);
  });
  const { historyDigest: history, verdictDigest: verdict } = judgement.report;
  return {
    kind: 'recorded',
    scenario,
    events,
    violations: judgement.violations,
    digests: { history, verdict },
  };
}

/** The extra property of that name, if it is one. */
export function extrasNamed(invariant: string | undefined): Extra[] {
  return extras.filter(({ name }) => name === invariant);
}
