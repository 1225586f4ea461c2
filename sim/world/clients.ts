// The clients: they send the workload's requests at their times, and when refused do what their
// `retry` says. A client that obeys waits exactly as long as it was told, from the moment it hears.

import type { Outcome } from '../run/history.ts';
import type { Request } from '../scenario/scenario.ts';
import { Operation } from './operations.ts';
import type { World } from './world.ts';

export class Clients {
  readonly #world: World;
  readonly #requests: readonly Request[];
  #next = 0;
  /** Retries end here, so that the world can come to rest. */
  readonly #lastSendUs: number;

  constructor(world: World, requests: readonly Request[], lastSendUs: number) {
    this.#world = world;
    this.#requests = requests;
    this.#lastSendUs = lastSendUs;
  }

  /** Schedules the first request; each one schedules the next, so the heap stays small. */
  start(): void {
    this.#scheduleNext();
  }

  /** Called when a gateway has answered. */
  heard(request: Request, attempt: number, allowed: boolean, outcome: Outcome | undefined): void {
    const { retry } = request;
    if (allowed || retry === undefined || attempt > retry.attempts) return;
    const waitMs = retry.kind === 'ignore' ? retry.delayMs : outcome?.retryAfterMs;
    if (waitMs === undefined) return;
    this.#send(request, attempt + 1, Math.ceil(waitMs) * 1000);
  }

  #scheduleNext(): void {
    const request = this.#requests[this.#next];
    if (request === undefined) return;
    this.#next += 1;
    const delayUs = Math.max(0, request.atUs - this.#world.kernel.nowUs);
    this.#send(request, 1, delayUs);
  }

  #send(request: Request, attempt: number, delayUs: number): void {
    const world = this.#world;
    if (attempt > 1 && world.kernel.nowUs + delayUs > this.#lastSendUs) return;
    const gateway = world.gateways[request.gateway % world.gateways.length];
    if (gateway === undefined) return;
    const operation = new Operation(request, attempt);
    // An event of the clients: it outlives a gateway that is down, which must not end the chain of
    // later requests. A gateway that stands still receives when it goes on.
    world.kernel.schedule(delayUs, world.clientsHost, operation, () => {
      if (attempt === 1) this.#scheduleNext();
      const { host } = gateway;
      if (host.pausedUntilUs > 0) {
        world.kernel.schedule(0, host, operation, () => world.receive(gateway, operation));
      } else if (host.state === 'up') {
        world.receive(gateway, operation);
      }
    });
  }
}
