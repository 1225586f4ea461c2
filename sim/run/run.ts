// One run: a scenario, a subject and the checkers that judge it, from nothing to a report.
//
// The run is one stretch of virtual time. Nothing of it survives: the same scenario run again gives
// the same digests, in this process or another.

import { type Drive, simulate } from '../kernel/simulate.ts';
import type { Request, Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject.ts';
import { materialise } from '../workload/materialise.ts';
import { World } from '../world/world.ts';
import { Dispatcher } from './dispatcher.ts';
import type { HistoryEvent, HistoryEventOf, Leftover } from './history.ts';
import { HistoryDigest } from './history-digest.ts';
import type { CheckSummary, CreateCheckers, Violation } from './invariant.ts';
import { Settlements } from './settlements.ts';

export type Transport = 'wire' | 'direct';
export type Client = 5 | 6;

export interface RunOptions {
  readonly scenario: Scenario;
  readonly subject: Subject;
  readonly createCheckers: CreateCheckers;
  /** `wire`: the real client over simulated sockets (default). `direct`: without either. */
  readonly transport?: Transport;
  /** The major version of ioredis the subject is given. Default 5. */
  readonly client?: Client;
  /** How microtasks are drained between events: synchronously (default) or by real turns. */
  readonly drive?: Drive;
  /** Whether the report has whole outcomes, not only verdicts. Default false. */
  readonly keepOutcomes?: boolean;
  /** Receives every history event as it happens. */
  readonly record?: (event: HistoryEvent) => void;
}

export interface RunReport {
  readonly ending: HistoryEventOf<'run-ended'>['ending'];
  /** The first violation of each invariant, in the order in which they were found. */
  readonly violations: readonly Violation[];
  readonly summary: CheckSummary;
  /** Over every history event; comparable only within one code and client version. */
  readonly historyDigest: string;
  /** Over operation ids, outcomes, reasons and violated invariants; comparable across code. */
  readonly verdictDigest: string;
  /** What every check ended with. */
  readonly settlements: Settlements;
  /** How many events the kernel ran. */
  readonly events: number;
  readonly decisions: number;
  readonly simulatedSeconds: number;
}

/** Runs a scenario. Rejects with an EscapeError when code under test left the simulation. */
export async function runScenario(options: RunOptions): Promise<RunReport> {
  const { scenario } = options;
  const requests = materialise(scenario.workload, scenario.policies, scenario.seed);
  return new Run(options, requests).execute();
}

class Run {
  readonly #options: RunOptions;
  readonly #world: World;
  readonly #digest: HistoryDigest;
  readonly #dispatcher: Dispatcher;
  readonly #checkers: ReturnType<CreateCheckers>;
  readonly #violations = new Map<string, Violation>();
  readonly #settlements: Settlements;

  constructor(options: RunOptions, requests: readonly Request[]) {
    this.#options = options;
    this.#settlements = new Settlements(options.keepOutcomes === true);
    this.#checkers = options.createCheckers((violation) => this.#violate(violation));
    this.#dispatcher = new Dispatcher(this.#checkers.handlers);
    this.#world = new World({
      scenario: options.scenario,
      requests,
      subject: options.subject,
      transport: options.transport ?? 'wire',
      client: options.client ?? 5,
      emit: (event) => this.#emit(event),
    });
    this.#digest = new HistoryDigest(this.#world.kernel.digest);
  }

  async execute(): Promise<RunReport> {
    const { kernel, endUs } = this.#world;
    kernel.onHostFailure = (host, error) => this.#hostFailed(host.name, error);
    this.#emit({ kind: 'run-started', atUs: 0, scenario: this.#options.scenario });
    const { drive = 'sync' } = this.#options;
    const ending = await simulate(kernel, { untilUs: endUs, drive }, () => this.#world.start());
    this.#emit({
      kind: 'run-ended',
      atUs: kernel.nowUs,
      ending: ending.kind,
      left: this.#leftovers(),
      unsettled: this.#world.operations.unsettled(),
    });
    return {
      ending: ending.kind,
      violations: [...this.#violations.values()],
      summary: this.#checkers.summary(),
      historyDigest: this.#digest.hex(),
      verdictDigest: this.#settlements.digest([...this.#violations.keys()]),
      settlements: this.#settlements,
      events: kernel.eventsRun,
      decisions: this.#settlements.size,
      simulatedSeconds: kernel.nowUs / 1e6,
    };
  }

  #emit(event: HistoryEvent): void {
    this.#digest.add(event);
    if (event.kind === 'check-settled') {
      this.#settlements.add(event.operation, event.outcome, event.error);
    }
    this.#options.record?.(event);
    this.#dispatcher.dispatch(event);
  }

  #violate(violation: Violation): void {
    if (!this.#violations.has(violation.invariant)) {
      this.#violations.set(violation.invariant, violation);
    }
  }

  #hostFailed(host: string, error: unknown): void {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.#emit({ kind: 'host-failure', atUs: this.#world.kernel.nowUs, host, error: text });
  }

  #leftovers(): Leftover[] {
    const left: Leftover[] = [];
    for (const { host } of this.#world.replicas) {
      const { timers, sockets } = host.leftovers();
      if (timers > 0) left.push({ host: host.name, what: 'timer', count: timers });
      if (sockets > 0) left.push({ host: host.name, what: 'socket', count: sockets });
    }
    return left;
  }
}
