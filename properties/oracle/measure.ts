// How much the checkers cost: hands them a long made-up history, several times, and prints the median
// microseconds of processor time per check. Run it with `npx tsx properties/oracle/measure.ts`.

import { cpuUsage } from 'node:process';
import { Dispatcher } from '../../sim/run/dispatcher.ts';
import type { HistoryEvent } from '../../sim/run/history.ts';
import { createCheckersFor } from '../invariants/index.ts';
import { SyntheticRun } from './synthetic-run.ts';

const CHECKS = 2000;
const RUNS = 25;
const ROUNDS = 9;
const TENANTS = 100;

const policies = {
  limits: [
    {
      id: 'read',
      match: { method: 'GET', route: '/orders/:id' },
      key: ['tenant', 'user'],
      rate: '100/min',
      burst: 20,
    },
  ],
};

function createHistory(): readonly HistoryEvent[] {
  const run = new SyntheticRun(policies);
  for (let count = 0; count < CHECKS; count += 1) {
    // Every fifth is for one hot tenant, which is refused most of the time.
    const tenant = count % 5 === 0 ? 'hot' : `tenant-${(count * 7919) % TENANTS}`;
    run.check({ atMs: count * 2, tenant, host: `replica-${count % 3}` });
  }
  return run.end(CHECKS * 2 + 1000).events;
}

function judge(events: readonly HistoryEvent[]): void {
  const checkers = createCheckersFor()((violation) => {
    throw new Error(`Expected an honest history, got ${violation.invariant}: ${violation.message}`);
  });
  const dispatcher = new Dispatcher(checkers.handlers);
  for (const event of events) dispatcher.dispatch(event);
}

function measure(events: readonly HistoryEvent[]): number {
  const begin = cpuUsage();
  for (let run = 0; run < RUNS; run += 1) judge(events);
  const { user, system } = cpuUsage(begin);
  return (user + system) / (CHECKS * RUNS);
}

const history = createHistory();
const rounds = Array.from({ length: ROUNDS }, () => measure(history)).sort((a, b) => a - b);
const median = rounds[Math.floor(ROUNDS / 2)] ?? Number.NaN;
console.log(
  `${median.toFixed(2)} µs per check (median of ${ROUNDS}, best ${rounds[0]?.toFixed(2)})`,
);
