// Import this before anything else. It puts dispatching wrappers over everything code takes from the
// platform: clocks, timers, randomness, sockets, names. While no run is active they pass through.
// A reference captured before stays real (`const now = Date.now`), hence the order.
//
// Importing it again does nothing. It is also the setup file of the test runner.

import { syncBuiltinESMExports } from 'node:module';
import { installClock } from './platform-clock.ts';
import { installNet } from './platform-net.ts';
import { installRandom } from './platform-random.ts';
import { installTimers } from './platform-timers.ts';
import { registry } from './registry.ts';

if (!registry.installed) {
  registry.installed = true;
  warmUp();
  installClock();
  installRandom();
  installTimers();
  installNet();
  syncBuiltinESMExports();
}

/** Touches what Node creates on first use, so that a run is not the first to use it. */
function warmUp(): void {
  structuredClone(0);
  void process.stdout;
  void process.stderr;
  crypto.randomUUID();
}
