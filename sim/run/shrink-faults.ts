// Passes that make the faults fewer, then shorter and rounder.

import type { Fault } from '../scenario/scenario.ts';
import type { Attempts } from './shrink-attempts.ts';
import { reduceList } from './shrink-list.ts';

export async function dropAllFaults(attempts: Attempts): Promise<void> {
  if (attempts.faults.length > 0) await attempts.try({ faults: [] });
}

export async function dropFaults(attempts: Attempts): Promise<void> {
  await reduceList(attempts.faults, (faults) => attempts.try({ faults: [...faults] }));
}

export async function simplifyFaults(attempts: Attempts): Promise<void> {
  for (const { id } of attempts.faults) {
    for (const change of simplifications) {
      const faults = attempts.faults.map((fault) => (fault.id === id ? change(fault) : fault));
      await attempts.try({ faults });
    }
  }
}

const simplifications: readonly ((fault: Fault) => Fault)[] = [
  (fault) => ('durationMs' in fault ? { ...fault, durationMs: 1 } : fault),
  (fault) => ('durationMs' in fault ? { ...fault, durationMs: 100 } : fault),
  (fault) =>
    'durationMs' in fault ? { ...fault, durationMs: roundToOneDigit(fault.durationMs) } : fault,
  (fault) => (fault.kind === 'clock-step' ? { ...fault, ms: roundToOneDigit(fault.ms) } : fault),
  (fault) => (fault.kind === 'clock-drift' ? { ...fault, ppm: roundToOneDigit(fault.ppm) } : fault),
  (fault) => (fault.kind === 'fragmentation' ? { ...fault, bytes: 1 } : fault),
  (fault) =>
    fault.kind === 'slow-link' ? { ...fault, extraUs: roundToOneDigit(fault.extraUs) } : fault,
  (fault) => (fault.kind === 'partition' ? { ...fault, direction: 'both' } : fault),
  (fault) => (fault.kind === 'store-restart' ? { ...fault, lose: false } : fault),
];

function roundToOneDigit(value: number): number {
  return Number(value.toPrecision(1));
}
