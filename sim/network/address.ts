// The addresses of simulated hosts. All hosts of a run are on one network.

import type { Host } from '../kernel/kernel.ts';

/** The address of a host, by its index. */
export function addressOf(host: Host): string {
  return `10.0.${host.index >> 8}.${host.index & 255}`;
}
