// A limiter replica: one process that runs the subject and answers gateways by message. A crash ends
// the process with everything in it; a restart is a new process under whatever policies hold then.

import type { Host } from '../kernel/host.ts';
import type { Outcome } from '../run/history.ts';
import type { SubjectHost, SubjectRequest } from '../subject.ts';
import type { Operation } from './operations.ts';
import type { World } from './world.ts';

/** The subject could not be started: nothing was run, so nothing was judged. */
export class SubjectStartError extends Error {
  override readonly name = 'SubjectStartError';
  readonly code = 'subject-failure';

  constructor(host: string, what: string, cause?: unknown) {
    super(`The subject's createHost ${what} on ${host}.`, { cause });
    if (cause instanceof Error) this.stack = `${this.message}\n${cause.stack}`;
  }
}

export class Replica {
  readonly host: Host;
  readonly #world: World;
  #limiter: SubjectHost | undefined;
  /** The policy document the present process was started with. */
  policies: unknown;

  constructor(world: World, host: Host, policies: unknown) {
    this.#world = world;
    this.host = host;
    this.policies = policies;
    // Crashed by a fault or ended by an exception of its own: either way the process is gone.
    host.onCrash(() => this.#ended());
  }

  /** The process's main function: runs on the host at its start. */
  start(): void {
    const limiter = this.#createLimiter();
    if (limiter === undefined) return;
    this.#limiter = limiter;
    this.#world.emitHost(this.host, 'up');
  }

  /** A subject that cannot be started ends the run as a fault. */
  #createLimiter(): SubjectHost | undefined {
    const { kernel } = this.#world;
    try {
      const limiter: unknown = this.#world.createLimiter(this);
      if (isSubjectHost(limiter)) return limiter;
      const what = 'gave no host with the functions check and close';
      kernel.fault ??= new SubjectStartError(this.host.name, what);
    } catch (error) {
      kernel.fault ??= new SubjectStartError(this.host.name, `threw ${String(error)}`, error);
    }
    return undefined;
  }

  /** Starts the process on a host that was never up. */
  boot(): void {
    this.host.spawn(() => this.start());
  }

  /** Comes back as a new process, under other policies when given. */
  restart(policies: unknown = this.policies): void {
    this.policies = policies;
    this.host.restart(() => this.start());
  }

  /** Handles a gateway's message; `reply` carries the outcome back. */
  check(operation: Operation, reply: (outcome: Outcome | undefined) => void): void {
    const limiter = this.#limiter;
    if (limiter === undefined) return;
    this.#world.startCheck(operation, this);
    const { tenant, user, method, path, cost } = operation.request;
    const settle = (outcome: Outcome | undefined, error: string | undefined): void => {
      this.#world.settleCheck(operation, this, outcome, error);
      reply(outcome);
    };
    ask(limiter, { tenant, user, method, path, cost }).then(
      (answer) => {
        if (isOutcome(answer)) settle(answer, undefined);
        else settle(undefined, `it answered ${describe(answer)}, without a boolean "allowed"`);
      },
      (error: unknown) => settle(undefined, String(error)),
    );
  }

  /** Ends the subject as an operator would: nothing may be left afterwards. */
  close(): void {
    if (this.#limiter === undefined) return;
    void this.#limiter.close();
    this.#limiter = undefined;
  }

  #ended(): void {
    this.#limiter = undefined;
    this.#world.operations.drop(this.host.name);
    this.#world.emitHost(this.host, 'down');
  }
}

/** A check that throws at once has failed like one that rejects. */
function ask(limiter: SubjectHost, request: SubjectRequest): Promise<unknown> {
  try {
    return Promise.resolve(limiter.check(request));
  } catch (error) {
    return Promise.reject(error);
  }
}

// Subjects are often plain JavaScript: what they give is not what their types say.

function isSubjectHost(value: unknown): value is SubjectHost {
  if (typeof value !== 'object' || value === null) return false;
  return (
    typeof Reflect.get(value, 'check') === 'function' &&
    typeof Reflect.get(value, 'close') === 'function'
  );
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'allowed' in value
    ? typeof value.allowed === 'boolean'
    : false;
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value).slice(0, 100);
  } catch {
    return 'an object';
  }
}
