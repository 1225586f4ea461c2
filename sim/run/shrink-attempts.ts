// The shrinker's workbench: the smallest scenario so far that still fails, the budget, and the one
// way to change the former. A candidate that was tried before is not run again.

import { createHash } from 'node:crypto';
import type { Fault, Request, Scenario } from '../scenario/scenario.ts';

/** Where to look: what is known of a failure. All of it is optional, and none of it is trusted. */
export interface FailureHint {
  /** True time of the violation, microseconds. */
  readonly atUs?: number | undefined;
  /** The client whose bucket is concerned. */
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
  /** Requests that take part in it. */
  readonly requestIds?: readonly number[] | undefined;
}

/** Whether a candidate still fails in the same way; a hint counts as true. */
export type StillFails = (
  candidate: Scenario,
) => boolean | FailureHint | Promise<boolean | FailureHint>;

export interface AttemptLimits {
  readonly deadlineMs: number;
  readonly maxRuns: number;
  /** Milliseconds of real time, from any origin. */
  readonly now: () => number;
}

/** A scenario whose workload is a list of requests. */
export interface MaterialisedScenario extends Scenario {
  readonly workload: { kind: 'requests'; requests: Request[] };
}

export type ShrinkStop = 'smallest' | 'deadline' | 'max-runs';

export class Attempts {
  readonly #stillFails: StillFails;
  readonly #limits: AttemptLimits;
  readonly #startMs: number;
  readonly #onAccept: (scenario: MaterialisedScenario, runs: number) => void;
  readonly #tried = new Set<string>();
  #current: MaterialisedScenario;
  #hint: FailureHint;
  #runs = 0;
  #accepted = 0;

  constructor(options: {
    readonly scenario: MaterialisedScenario;
    readonly hint: FailureHint;
    readonly stillFails: StillFails;
    readonly limits: AttemptLimits;
    readonly onAccept: (scenario: MaterialisedScenario, runs: number) => void;
  }) {
    this.#current = options.scenario;
    this.#hint = options.hint;
    this.#stillFails = options.stillFails;
    this.#limits = options.limits;
    this.#onAccept = options.onAccept;
    this.#startMs = options.limits.now();
  }

  /** The smallest scenario so far that fails. */
  get current(): MaterialisedScenario {
    return this.#current;
  }

  get requests(): readonly Request[] {
    return this.#current.workload.requests;
  }

  get faults(): readonly Fault[] {
    return this.#current.faults;
  }

  /** What is known of the failure of `current`. */
  get hint(): FailureHint {
    return this.#hint;
  }

  get runs(): number {
    return this.#runs;
  }

  /** How many candidates have replaced `current`; a pass that leaves it as it was changed nothing. */
  get accepted(): number {
    return this.#accepted;
  }

  get stop(): ShrinkStop {
    if (this.#runs >= this.#limits.maxRuns) return 'max-runs';
    const spentMs = this.#limits.now() - this.#startMs;
    return spentMs >= this.#limits.deadlineMs ? 'deadline' : 'smallest';
  }

  get isOver(): boolean {
    return this.stop !== 'smallest';
  }

  /** Runs the scenario as it is, to see whether it fails at all. */
  async confirm(): Promise<boolean> {
    this.#tried.add(fingerprint(this.#current));
    return this.#run(this.#current);
  }

  /** Takes the changed scenario as the current one if it still fails. */
  async try(change: Partial<Scenario>): Promise<boolean> {
    if (this.isOver) return false;
    const candidate = { ...this.#current, ...change, workload: this.#current.workload };
    return this.#tryCandidate(candidate);
  }

  /** Likewise, with other requests; other parts may change at the same time. */
  async tryRequests(
    requests: readonly Request[],
    change: Partial<Scenario> = {},
  ): Promise<boolean> {
    if (this.isOver) return false;
    const sorted = [...requests].sort((one, other) => one.atUs - other.atUs || one.id - other.id);
    const workload = { kind: 'requests' as const, requests: sorted };
    return this.#tryCandidate({ ...this.#current, ...change, workload });
  }

  async #tryCandidate(candidate: MaterialisedScenario): Promise<boolean> {
    const print = fingerprint(candidate);
    if (this.#tried.has(print)) return false;
    this.#tried.add(print);
    if (!(await this.#run(candidate))) return false;
    this.#current = candidate;
    this.#accepted += 1;
    this.#onAccept(candidate, this.#runs);
    return true;
  }

  async #run(candidate: MaterialisedScenario): Promise<boolean> {
    this.#runs += 1;
    const verdict = await this.#stillFails(candidate);
    if (typeof verdict === 'object') this.#hint = { ...this.#hint, ...verdict };
    return verdict !== false;
  }
}

function fingerprint(scenario: Scenario): string {
  return createHash('sha1').update(JSON.stringify(scenario)).digest('base64');
}
