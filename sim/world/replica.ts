// A limiter replica: one process that runs the subject and answers gateways by message. A crash ends
// the process with everything in it; a restart is a new process under whatever policies hold then.

import type { Host } from '../kernel/host.ts';
import type { Outcome } from '../run/history.ts';
import type { SubjectHost } from '../subject.ts';
import type { Operation } from './operations.ts';
import type { World } from './world.ts';

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
    this.#limiter = this.#world.createLimiter(this);
    this.#world.emitHost(this.host, 'up');
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
    limiter.check({ tenant, user, method, path, cost }).then(
      (outcome) => {
        this.#world.settleCheck(operation, this, outcome, undefined);
        reply(outcome);
      },
      (error: unknown) => {
        this.#world.settleCheck(operation, this, undefined, String(error));
        reply(undefined);
      },
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
