// The simulator's public surface. The platform comes first: its wrappers must be in place before any
// code under test, the client among it, takes hold of a clock, a timer or a socket.

import './kernel/platform.ts';

export { EscapeError, HarnessError } from './kernel/errors.ts';
export type { Drive } from './kernel/simulate.ts';
export type {
  HistoryEvent,
  HistoryEventOf,
  KeyChange,
  Leftover,
  Outcome,
} from './run/history.ts';
export type {
  CheckSummary,
  CreateCheckers,
  Handlers,
  RunCheckers,
  Violation,
} from './run/invariant.ts';
export {
  type Client,
  type RunOptions,
  type RunReport,
  runScenario,
  type Transport,
} from './run/run.ts';
export type { SettledOperation, Settlements } from './run/settlements.ts';
export {
  type Fault,
  type Request,
  type Scenario,
  type Stream,
  scenarioSchema,
  type Workload,
} from './scenario/scenario.ts';
export type {
  PolicyContract,
  Subject,
  SubjectHost,
  SubjectOptions,
  SubjectRequest,
} from './subject.ts';
