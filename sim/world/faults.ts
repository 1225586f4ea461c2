// Faults: what each kind does to the world when it begins, and how it ends. Every fault with a
// duration heals by itself; those without one are a single blow.

import type { Host } from '../kernel/host.ts';
import type { Fault } from '../scenario/scenario.ts';
import type { World } from './world.ts';

/** True time in milliseconds at which the fault's effect on the world is over. */
export function faultEndMs(fault: Fault): number {
  return fault.atMs + ('durationMs' in fault ? fault.durationMs : 0);
}

/** Schedules every fault of the scenario. */
export function scheduleFaults(world: World): void {
  for (const fault of world.scenario.faults) {
    const cause = world.kernel.createCause(faultCauseBase + fault.id);
    world.kernel.schedule(fault.atMs * 1000, world.kernel.world, cause, () => begin(world, fault));
  }
}

/** Causes of faults lie above those of every operation (below 2^30), so no draw is shared. */
const faultCauseBase = 2 ** 30;

function begin(world: World, fault: Fault): void {
  world.emit({ kind: 'fault', atUs: world.kernel.nowUs, fault, phase: 'begin' });
  const heal = inflict(world, fault);
  if (!('durationMs' in fault)) return;
  world.kernel.schedule(fault.durationMs * 1000, world.kernel.world, world.kernel.cause, () => {
    heal();
    world.emit({ kind: 'fault', atUs: world.kernel.nowUs, fault, phase: 'end' });
  });
}

const nothingToHeal = (): void => {};

function inflict(world: World, fault: Fault): () => void {
  const { network } = world;
  switch (fault.kind) {
    case 'partition':
      return network.partition(
        world.hostNamed(fault.from),
        world.hostNamed(fault.to),
        fault.direction,
      );
    case 'black-hole':
      return network.blackHole(world.hostNamed(fault.from), world.hostNamed(fault.to));
    case 'fragmentation':
      return network.fragment(world.hostNamed(fault.from), world.hostNamed(fault.to), fault.bytes);
    case 'slow-link':
      return network.slow(world.hostNamed(fault.from), world.hostNamed(fault.to), fault.extraUs);
    case 'refuse-connections':
      return network.refuse(world.redisHost);
    case 'reset':
      network.resetConnections(world.hostNamed(fault.from), world.hostNamed(fault.to));
      return nothingToHeal;
    case 'reply-lost':
    case 'reset-mid-script':
      world.armReplyLoss(world.hostNamed(fault.host), fault.kind);
      return nothingToHeal;
    case 'store-restart':
      return restartStore(world, fault.lose);
    case 'script-flush':
      world.store.flushScripts();
      return nothingToHeal;
    case 'crash':
      return crash(world, world.hostNamed(fault.host));
    case 'pause':
      world.hostNamed(fault.host).pause(fault.durationMs * 1000);
      return nothingToHeal;
    case 'clock-step':
      world.hostNamed(fault.host).clock.step(fault.ms);
      return nothingToHeal;
    case 'clock-drift':
      world.hostNamed(fault.host).clock.setDrift(fault.ppm);
      return nothingToHeal;
    case 'policy-change':
      for (const replica of world.replicas) {
        replica.host.crash();
        replica.restart(fault.policies);
      }
      return nothingToHeal;
  }
}

function restartStore(world: World, lose: boolean): () => void {
  if (world.redisHost.state === 'down') return nothingToHeal;
  world.redisHost.crash();
  world.store.flushScripts();
  if (lose) {
    world.store.flushData();
    world.emit({ kind: 'store-lost', atUs: world.kernel.nowUs });
  }
  return () => world.startStore();
}

function crash(world: World, host: Host): () => void {
  if (host === world.redisHost) return restartStore(world, false);
  if (host.state === 'down') return nothingToHeal;
  host.crash();
  const replica = world.replicas.find((candidate) => candidate.host === host);
  return () => {
    // A policy change may have brought a replica back already.
    if (host.state === 'up') return;
    if (replica === undefined) host.restart(() => {});
    else replica.restart();
  };
}
