// The faults of a scenario, in the manner of swarm testing: a scenario first draws which kinds exist
// for it at all and whom they aim at, then as many faults as it draws from those kinds alone. Rare
// combinations come up that an even mixture would drown.
//
// Only what the limiter promises to survive is drawn, and all of it heals early enough for the
// scenario's traffic to show the recovery.

import * as fc from 'fast-check';
import type { Fault, Scenario } from '../../sim/scenario/scenario.ts';
import { anyIndex, fraction, logInteger, pick } from './draws.ts';
import type { PolicyDocument } from './policies.ts';
import { changePolicies, isRolledBack } from './policy-change.ts';
import { hostNames } from './topology.ts';

/** Store clocks are listed twice: the most ways to go wrong are there. */
const faultKinds = [
  'partition',
  'black-hole',
  'reset',
  'reply-lost',
  'reset-mid-script',
  'refuse-connections',
  'store-restart',
  'script-flush',
  'fragmentation',
  'slow-link',
  'crash',
  'pause',
  'store-clock-back',
  'store-clock-excursion',
  'client-clock',
  'policy-change',
] as const;
type SketchKind = (typeof faultKinds)[number];

export interface FaultSketch {
  readonly kind: number;
  readonly at: number;
  readonly durationMs: number;
  readonly victim: number;
  readonly other: number;
  readonly variant: number;
  readonly severity: number;
}

export interface FaultsSketch {
  readonly kinds: readonly SketchKind[];
  /** `one`: all faults hit the first host of their kind, so that they pile up. */
  readonly aim: 'one' | 'any';
  readonly faults: readonly FaultSketch[];
}

const faultArbitrary: fc.Arbitrary<FaultSketch> = fc.record({
  kind: anyIndex,
  at: fraction,
  durationMs: logInteger(5, 5000),
  victim: anyIndex,
  other: anyIndex,
  variant: anyIndex,
  severity: fraction,
});

export const faultsArbitrary: fc.Arbitrary<FaultsSketch> = fc.record({
  kinds: fc.subarray([...faultKinds], { minLength: 1, maxLength: 7 }),
  aim: fc.constantFrom('any', 'one'),
  faults: fc.array(faultArbitrary, { maxLength: 9, size: 'max' }),
});

export interface FaultContext {
  readonly topology: Scenario['topology'];
  readonly policies: PolicyDocument;
  /** When the traffic ends. */
  readonly trafficMs: number;
}

/** Faults lie between these parts of the traffic's time, their healing included. */
const beginAfter = 0.05;
const healBy = 0.75;
/** No fault takes longer than this part of the traffic's time. */
const durationPart = 0.2;

/** The faults in order of time, ids from 1. */
export function buildFaults(sketch: FaultsSketch, context: FaultContext): Fault[] {
  const builder = new FaultBuilder(sketch, context);
  for (const fault of [...sketch.faults].sort((one, other) => one.at - other.at)) {
    builder.add(fault);
  }
  return builder.finish();
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
type FaultDraft = WithoutId<Fault>;

class FaultBuilder {
  readonly #sketch: FaultsSketch;
  readonly #context: FaultContext;
  readonly #drafts: FaultDraft[] = [];
  /** Until when a host is down or standing still; a second such fault meanwhile is left out. */
  readonly #busyUntilMs = new Map<string, number>();
  #policies: PolicyDocument;

  constructor(sketch: FaultsSketch, context: FaultContext) {
    this.#sketch = sketch;
    this.#context = context;
    this.#policies = context.policies;
  }

  add(fault: FaultSketch): void {
    const { trafficMs } = this.#context;
    const firstMs = trafficMs * beginAfter;
    const durationMs = Math.ceil(Math.min(fault.durationMs, trafficMs * durationPart)) || 1;
    const lastMs = trafficMs * healBy - durationMs;
    const atMs = Math.floor(firstMs + fault.at * Math.max(0, lastMs - firstMs));
    this.#addAt(pick(this.#sketch.kinds, fault.kind), { ...fault, durationMs }, atMs);
  }

  finish(): Fault[] {
    return this.#drafts
      .sort((one, other) => one.atMs - other.atMs)
      .map((draft, index) => ({ ...draft, id: index + 1 }));
  }

  #addAt(kind: SketchKind, fault: FaultSketch, atMs: number): void {
    const { durationMs } = fault;
    const replica = this.#victim('replica', fault.victim);
    switch (kind) {
      case 'partition': {
        const direction = fault.variant % 3 === 0 ? 'both' : 'forward';
        this.#drafts.push({ kind, atMs, durationMs, ...this.#link(fault), direction });
        return;
      }
      case 'black-hole':
        this.#drafts.push({ kind, atMs, durationMs, ...this.#link(fault) });
        return;
      case 'reset':
        this.#drafts.push({ kind, atMs, from: replica, to: 'redis' });
        return;
      case 'reply-lost':
      case 'reset-mid-script':
        this.#drafts.push({ kind, atMs, host: replica });
        return;
      case 'refuse-connections':
        // Refusing alone shows only to whom connects meanwhile, so someone is made to.
        this.#drafts.push({ kind, atMs, durationMs });
        this.#drafts.push({ kind: 'reset', atMs: atMs + 1, from: replica, to: 'redis' });
        return;
      case 'store-restart':
        if (!this.#occupy(['redis'], atMs, durationMs)) return;
        this.#drafts.push({ kind, atMs, durationMs, lose: fault.variant % 2 === 0 });
        return;
      case 'script-flush':
        this.#drafts.push({ kind, atMs });
        return;
      case 'fragmentation': {
        const bytes = 1 + Math.round(fault.severity * 40);
        this.#drafts.push({ kind, atMs, durationMs, from: replica, to: 'redis', bytes });
        return;
      }
      case 'slow-link': {
        const extraUs = Math.round(1000 * 300 ** fault.severity);
        this.#drafts.push({ kind, atMs, durationMs, ...this.#link(fault), extraUs });
        return;
      }
      case 'crash':
        if (!this.#occupy([replica], atMs, durationMs)) return;
        this.#drafts.push({ kind, atMs, durationMs, host: replica });
        return;
      case 'pause': {
        const gateway = this.#victim('gateway', fault.victim);
        const host = pick([replica, replica, 'redis', gateway], fault.variant);
        if (!this.#occupy([host], atMs, durationMs)) return;
        this.#drafts.push({ kind, atMs, durationMs, host });
        return;
      }
      case 'store-clock-back':
      case 'store-clock-excursion':
        this.#drafts.push(...storeClock(kind, fault, atMs));
        return;
      case 'client-clock':
        this.#drafts.push(clientClock(fault, atMs, replica));
        return;
      case 'policy-change':
        this.#addPolicyChange(fault, atMs);
        return;
    }
  }

  #addPolicyChange(fault: FaultSketch, atMs: number): void {
    const all = hostNames('replica', this.#context.topology.replicas);
    const { durationMs } = fault;
    if (!this.#occupy(all, atMs, isRolledBack(fault) ? durationMs + 1 : 1)) return;
    const kind = 'policy-change';
    const policies = changePolicies(this.#policies, fault);
    this.#drafts.push({ kind, atMs, policies });
    if (isRolledBack(fault)) {
      this.#drafts.push({ kind, atMs: atMs + durationMs, policies: this.#policies });
    } else {
      this.#policies = policies;
    }
  }

  #victim(role: 'gateway' | 'replica', index: number): string {
    const { gateways, replicas } = this.#context.topology;
    const names = hostNames(role, role === 'gateway' ? gateways : replicas);
    return pick(names, this.#sketch.aim === 'one' ? 0 : index);
  }

  /** Mostly the link to the store, else that of a gateway to a replica; either way round. */
  #link(fault: FaultSketch): { from: string; to: string } {
    const replica = this.#victim('replica', fault.victim);
    const other = fault.other % 4 === 0 ? this.#victim('gateway', fault.other) : 'redis';
    return fault.other % 2 === 0 ? { from: replica, to: other } : { from: other, to: replica };
  }

  #occupy(hosts: readonly string[], atMs: number, durationMs: number): boolean {
    if (hosts.some((host) => (this.#busyUntilMs.get(host) ?? -1) >= atMs)) return false;
    for (const host of hosts) this.#busyUntilMs.set(host, atMs + durationMs);
    return true;
  }
}

/** Steps of the store's clock: seconds back, or far ahead and (mostly) back again later. */
function storeClock(
  kind: 'store-clock-back' | 'store-clock-excursion',
  fault: FaultSketch,
  atMs: number,
): FaultDraft[] {
  const host = 'redis';
  if (kind === 'store-clock-back') {
    if (fault.variant % 5 === 0)
      return [{ kind: 'clock-drift', atMs, host, ppm: drift(fault, 50_000) }];
    return [{ kind: 'clock-step', atMs, host, ms: -Math.round(120_000 ** fault.severity) }];
  }
  // From a second to about 73 years.
  const ms = Math.round(1000 * 2.3e9 ** fault.severity);
  const ahead: FaultDraft = { kind: 'clock-step', atMs, host, ms };
  if (fault.variant % 6 === 0) return [ahead];
  return [ahead, { kind: 'clock-step', atMs: atMs + fault.durationMs, host, ms: -ms }];
}

/** A replica's clock: no decision may read it, and deadlines may be off by its drift alone. */
function clientClock(fault: FaultSketch, atMs: number, host: string): FaultDraft {
  if (fault.variant % 3 === 0)
    return { kind: 'clock-drift', atMs, host, ppm: drift(fault, 10_000) };
  const size = Math.round(10 * 1e8 ** fault.severity);
  return { kind: 'clock-step', atMs, host, ms: fault.variant % 2 === 0 ? size : -size };
}

function drift(fault: FaultSketch, ppmMax: number): number {
  return (fault.other % 2 === 0 ? 1 : -1) * Math.max(1, Math.round(fault.severity * ppmMax));
}
