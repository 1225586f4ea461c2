// For the tests of the kernel and the network: runs a body as code under test on a host named `app`
// and gives back what it left behind.

import type { Host } from './host.ts';
import { Kernel } from './kernel.ts';
import { type Drive, type Ending, simulate } from './simulate.ts';

export interface HostRun {
  readonly kernel: Kernel;
  readonly app: Host;
  readonly ending: Ending;
  /** What code on any host left unhandled. */
  readonly failures: readonly { readonly host: string; readonly error: unknown }[];
}

export interface HostRunOptions {
  readonly seed?: number;
  readonly untilUs?: number;
  readonly drive?: Drive;
  readonly prepare?: (kernel: Kernel, app: Host) => void;
}

export async function runOnHost(
  body: (kernel: Kernel, app: Host) => unknown,
  options: HostRunOptions = {},
): Promise<HostRun> {
  const { seed = 1, untilUs = 3_600_000_000, drive = 'sync' } = options;
  const kernel = new Kernel({ seed });
  const app = kernel.createHost('app');
  const failures: { host: string; error: unknown }[] = [];
  kernel.onHostFailure = (host, error) => failures.push({ host: host.name, error });
  const ending = await simulate(kernel, { untilUs, drive }, () => {
    options.prepare?.(kernel, app);
    app.spawn(() => body(kernel, app));
  });
  return { kernel, app, ending, failures };
}
