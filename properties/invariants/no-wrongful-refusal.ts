// A limiter that refuses everything breaks no bound, so its refusals are judged too. A request is
// allowed exactly when the exact bucket allows it at that store time and state. Without a decision of
// the store it is refused, and only when something was wrong: a fault acted on the way to the store, the
// host had not yet reached it since, or the store was too slow for the deadline.

import { divideDown } from '../../model/index.ts';
import { findUnexcused, isHostReady, isUntroubled } from '../oracle/availability.ts';
import type { OperationRecord } from '../oracle/records.ts';
import { isDecidedByStore, type Oracle } from '../oracle.ts';
import type { Invariant } from './invariant.ts';

export const noWrongfulRefusal: Invariant = {
  name: 'no-wrongful-refusal',
  sentence:
    'A request is allowed exactly when the model allows it, and none is turned away while all is well.',
  needsModel: true,
  create: ({ oracle, evaluated, violate }) => ({
    'check-settled': ({ atUs }) => {
      const { operation } = oracle;
      if (operation?.outcome === undefined) return;
      const wrong = findWrong(oracle, operation);
      if (wrong === 'not judged') return;
      evaluated();
      if (wrong !== undefined) violate(`Operation ${operation.id} ${wrong}`, atUs);
    },
  }),
};

/** What is wrong with the decision, as the end of a sentence. */
function findWrong(oracle: Oracle, operation: OperationRecord): string | 'not judged' | undefined {
  const { outcome, limit, bucket, execution } = operation;
  if (outcome === undefined) return 'not judged';
  if (limit === undefined) {
    return outcome.allowed ? undefined : 'was refused although no limit matches it.';
  }
  if (bucket === undefined) {
    return outcome.allowed ? `was allowed although ${limit.id} allows nothing.` : undefined;
  }
  if (isDecidedByStore(outcome) && execution !== undefined) {
    const { allowed } = execution.decision;
    if (outcome.allowed === allowed) return undefined;
    return describeDisagreement(operation);
  }
  if (outcome.allowed) return `was allowed by ${limit.id} without a decision of the store.`;
  if (isImpossible(operation)) return undefined;
  if (!isUntroubled(oracle, operation) || !isHostReady(oracle, operation)) return 'not judged';
  const unexcused = findUnexcused(oracle, operation);
  return unexcused && `was refused (${outcome.reason}) while all was well: it ${unexcused}.`;
}

/** A cost above any capacity in force may be refused without asking. */
function isImpossible({ outcome, limit, bucket, request }: OperationRecord): boolean {
  const capacity = bucket?.state?.parameters.capacity ?? 0;
  return (
    outcome?.reason === 'cost-exceeds-capacity' &&
    request.cost > Math.max(capacity, limit?.parameters?.capacity ?? 0)
  );
}

function describeDisagreement({ outcome, execution, request }: OperationRecord): string {
  const { decision, bucket, storeMs } = execution ?? {};
  const level = decision?.seen;
  const microtokens = level === undefined ? 0 : divideDown(level.units, level.parameters.den);
  return (
    `was ${outcome?.allowed ? 'allowed' : `refused (${outcome?.reason})`}, the model says ` +
    `${decision?.allowed ? 'allowed' : decision?.reason}: cost ${request.cost} at store time ` +
    `${storeMs}, ${microtokens} microtokens then in ${bucket?.id}.`
  );
}
