// The shape of a mark. One of the three predicates says when it is reached.

import type { HistoryEvent } from '../../sim/run/history.ts';
import type { Execution, OperationRecord } from '../oracle/records.ts';
import type { Oracle } from '../oracle.ts';
import type { ScenarioFacts } from './scenario-facts.ts';

export interface Mark {
  readonly name: string;
  /** What was met, as one sentence. */
  readonly sentence: string;
  readonly transport?: 'wire';
  readonly requires: (facts: ScenarioFacts) => boolean;
  /** Asked at every script that decided about a bucket. */
  readonly executed?: (execution: Execution, oracle: Oracle) => boolean;
  /** Asked when a check settles. */
  readonly settled?: (operation: OperationRecord, oracle: Oracle) => boolean;
  /** Asked at answers and at the run's end. */
  readonly happened?: (event: HistoryEvent, oracle: Oracle) => boolean;
}
