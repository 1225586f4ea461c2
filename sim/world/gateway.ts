// A gateway: takes a client's request, asks one replica by message, and lets the request through to
// the upstream only on a clear yes that came in time. It never decides anything by itself but no.

import type { Host } from '../kernel/host.ts';
import { definePurpose } from '../kernel/random.ts';
import type { Outcome } from '../run/history.ts';
import type { Operation } from './operations.ts';
import type { World } from './world.ts';

const chooseReplica = definePurpose('gateway.replica');

export class Gateway {
  readonly host: Host;
  readonly #world: World;

  constructor(world: World, host: Host) {
    this.#world = world;
    this.host = host;
  }

  /** Runs on the gateway's host when a request has reached it. */
  receive(operation: Operation): void {
    const { kernel, network, replicas } = this.#world;
    const replica = replicas[kernel.drawInteger(chooseReplica, replicas.length)];
    if (replica === undefined) return;
    // The operation ends once: by its replica's answer, or by the gateway's deadline.
    operation.deadline = kernel.schedule(
      this.#world.scenario.knobs.gatewayDeadlineMs * 1000,
      this.host,
      operation,
      () => this.#finish(operation, undefined, 'gateway-deadline'),
    );
    network.send(this.host, replica.host, () => {
      replica.check(operation, (outcome) => {
        network.send(replica.host, this.host, () => this.#finish(operation, outcome, 'replica'));
      });
    });
  }

  #finish(
    operation: Operation,
    outcome: Outcome | undefined,
    by: 'replica' | 'gateway-deadline',
  ): void {
    const { deadline } = operation;
    if (deadline === undefined) return;
    operation.deadline = undefined;
    this.#world.kernel.cancel(deadline);
    this.#world.answer(operation, outcome, by);
  }
}
