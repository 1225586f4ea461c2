// All probes of commands.

import type { Probe } from '../probe.ts';
import { connectionProbes, transactionProbes } from './connections.ts';
import { hashProbes } from './hashes.ts';
import { keyProbes } from './keys.ts';
import { resp3Probes } from './resp3.ts';
import { scriptProbes } from './scripts.ts';
import { sortedSetProbes } from './sorted-sets.ts';
import { stringProbes } from './strings.ts';

export const allProbes: readonly Probe[] = [
  ...stringProbes,
  ...hashProbes,
  ...sortedSetProbes,
  ...keyProbes,
  ...connectionProbes,
  ...transactionProbes,
  ...scriptProbes,
  ...resp3Probes,
];
