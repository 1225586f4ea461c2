// A gateway: takes a client's request, asks one replica by message, and lets the request through to
// the upstream only on a clear yes that came in time. It never decides anything by itself but no.

import type { Host } from '../kernel/host.ts';
import type { KernelEvent } from '../kernel/kernel.ts';
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
    const exchange = new Exchange(this.#world, operation);
    exchange.deadline = kernel.schedule(
      this.#world.scenario.knobs.gatewayDeadlineMs * 1000,
      this.host,
      kernel.cause,
      () => exchange.finish(undefined, 'gateway-deadline'),
    );
    network.send(this.host, replica.host, () => {
      replica.check(operation, (outcome) => {
        network.send(replica.host, this.host, () => exchange.finish(outcome, 'replica'));
      });
    });
  }
}

/** One question to a replica: it ends once, by the replica's answer or by the gateway's deadline. */
class Exchange {
  readonly #world: World;
  readonly #operation: Operation;
  deadline: KernelEvent | undefined;
  #finished = false;

  constructor(world: World, operation: Operation) {
    this.#world = world;
    this.#operation = operation;
  }

  finish(outcome: Outcome | undefined, by: 'replica' | 'gateway-deadline'): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.deadline !== undefined && by === 'replica') this.#world.kernel.cancel(this.deadline);
    this.#world.answer(this.#operation, outcome, by);
  }
}
