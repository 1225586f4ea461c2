// Passes that make the world smaller: fewer machines, no latency tails, clocks that agree, limits
// that nothing asks for gone, less time at the end.

import { z } from 'zod';
import type { Fault, Scenario } from '../scenario/scenario.ts';
import type { Attempts } from './shrink-attempts.ts';

export async function dropMachines(attempts: Attempts): Promise<void> {
  for (const role of ['replica', 'gateway'] as const) {
    const field = role === 'replica' ? 'replicas' : 'gateways';
    for (let count = 1; count < attempts.current.topology[field]; count += 1) {
      const { topology, faults } = attempts.current;
      const clockOffsetsMs = Object.fromEntries(
        Object.entries(topology.clockOffsetsMs).filter(([host]) => isWithin(host, role, count)),
      );
      const smaller = { ...topology, [field]: count, clockOffsetsMs };
      const moved = faults.map((fault) => moveHosts(fault, role, count));
      if (await attempts.try({ topology: smaller, faults: moved })) break;
    }
  }
}

type Role = 'replica' | 'gateway';

function isWithin(host: string, role: Role, count: number): boolean {
  return !host.startsWith(`${role}-`) || Number(host.slice(role.length + 1)) < count;
}

/** Faults of a machine that is gone hit one that is left. */
function moveHosts(fault: Fault, role: Role, count: number): Fault {
  const move = (host: string): string =>
    isWithin(host, role, count) ? host : `${role}-${Number(host.slice(role.length + 1)) % count}`;
  if ('host' in fault) return { ...fault, host: move(fault.host) };
  if ('from' in fault) return { ...fault, from: move(fault.from), to: move(fault.to) };
  return fault;
}

/** 100 µs each way and no tail: near enough to life, and no draw is left in it. */
const plainLatency = { minUs: 100, tailUs: 0 };

export async function simplifyTopology(attempts: Attempts): Promise<void> {
  const changes: Partial<Scenario['topology']>[] = [
    { clockOffsetsMs: {} },
    { gatewayLink: plainLatency, storeLink: plainLatency, scriptUs: 10, commandUs: 0 },
    { gatewayLink: plainLatency },
    { storeLink: plainLatency },
    { scriptUs: 10 },
    { commandUs: 0 },
  ];
  for (const change of changes) {
    await attempts.try({ topology: { ...attempts.current.topology, ...change } });
  }
  for (const host of Object.keys(attempts.current.topology.clockOffsetsMs)) {
    const { [host]: _, ...clockOffsetsMs } = attempts.current.topology.clockOffsetsMs;
    await attempts.try({ topology: { ...attempts.current.topology, clockOffsetsMs } });
  }
}

/**
 * Time to recover is not taken below this: a run that ends before a healthy limiter can have
 * recovered fails too, for a reason that is no bug.
 */
const settleMsMin = 5000;

export async function simplifyKnobs(attempts: Attempts): Promise<void> {
  const { knobs } = attempts.current;
  await attempts.try({ knobs: { ...knobs, settleMs: Math.min(knobs.settleMs, settleMsMin) } });
  const settleMs = attempts.current.knobs.settleMs;
  await attempts.try({ knobs: { deadlineMs: 50, gatewayDeadlineMs: 100, settleMs } });
}

const documentSchema = z.looseObject({ limits: z.array(z.looseObject({ id: z.string() })) });

/** Drops limits, in later policy documents too. */
export async function dropLimits(attempts: Attempts): Promise<void> {
  const document = documentSchema.safeParse(attempts.current.policies);
  if (!document.success) return;
  const ids = document.data.limits.map((limit) => limit.id);
  const [only] = ids;
  if (ids.length < 2 || only === undefined) return;
  for (const id of ids) {
    if (await tryLimits(attempts, (limit) => limit === id)) return;
  }
  for (const id of ids) await tryLimits(attempts, (limit) => limit !== id);
}

async function tryLimits(attempts: Attempts, keeps: (id: string) => boolean): Promise<boolean> {
  const policies = filterLimits(attempts.current.policies, keeps);
  const faults = attempts.faults.map((fault) =>
    fault.kind === 'policy-change'
      ? { ...fault, policies: filterLimits(fault.policies, keeps) }
      : fault,
  );
  return attempts.try({ policies, faults });
}

function filterLimits(policies: unknown, keeps: (id: string) => boolean): unknown {
  const document = documentSchema.safeParse(policies);
  if (!document.success) return policies;
  return { ...document.data, limits: document.data.limits.filter(({ id }) => keeps(id)) };
}
