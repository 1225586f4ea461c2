// Runs a relation's pair and compares the decisions.

import type { Violation } from '../../sim/run/invariant.ts';
import { type RunReport, runScenario } from '../../sim/run/run.ts';
import type { SettledOperation } from '../../sim/run/settlements.ts';
import type { Scenario } from '../../sim/scenario/scenario.ts';
import type { Subject } from '../../sim/subject.ts';
import { materialise } from '../../sim/workload/materialise.ts';
import { operationId } from '../../sim/world/operations.ts';
import type { Relation } from './relation.ts';

export interface RelationResult {
  readonly evaluations: number;
  readonly violation: Violation | undefined;
}

const noCheckers = () => ({
  handlers: [],
  summary: () => ({ evaluations: {}, reached: {}, overshoot: {} }),
});

/** Runs both sides of the relation and reports the first compared request that was told otherwise. */
export async function checkRelation(
  relation: Relation,
  scenario: Scenario,
  subject: Subject,
): Promise<RelationResult> {
  const requests = materialise(scenario.workload, scenario.policies, scenario.seed);
  const { left, right, compared } = relation.pair(scenario, requests);
  const leftReport = await runDirect(left, subject);
  const rightReport = await runDirect(right, subject);
  const leftSettled = indexById(leftReport);
  const rightSettled = indexById(rightReport);
  let evaluations = 0;
  for (const request of requests) {
    const id = operationId(request.id, 1);
    const ours = leftSettled.get(id);
    if (ours === undefined || !compared(request)) continue;
    evaluations += 1;
    const theirs = rightSettled.get(id);
    if (describe(ours) === describe(theirs)) continue;
    const message = `${relation.sentence} Request ${request.id} was told "${describe(ours)}", and "${describe(theirs)}" in the other run.`;
    return { evaluations, violation: { invariant: relation.name, atUs: request.atUs, message } };
  }
  return { evaluations, violation: undefined };
}

function runDirect(scenario: Scenario, subject: Subject): Promise<RunReport> {
  return runScenario({
    scenario,
    subject,
    createCheckers: noCheckers,
    transport: 'direct',
    keepOutcomes: true,
  });
}

function indexById({ settlements }: RunReport): Map<number, SettledOperation> {
  return new Map([...settlements.all()].map((settled) => [settled.operation, settled]));
}

function describe(settled: SettledOperation | undefined): string {
  if (settled === undefined) return 'no answer';
  const { outcome, reason } = settled;
  const answer = settled.allowed ? 'allowed' : `denied (${reason})`;
  return `${answer}, remaining ${outcome?.remaining}, reset ${outcome?.resetMs} ms, retry ${outcome?.retryAfterMs} ms`;
}
