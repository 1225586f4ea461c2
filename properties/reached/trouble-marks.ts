// Marks about trouble: which failures of the store, the network, hosts and clocks a campaign has met.
// When each is reached is said in `mark-follower.ts`.

import type { Mark } from './mark.ts';
import { isOnStoreLink, type ScenarioFacts } from './scenario-facts.ts';

export const troubleMarks = [
  {
    name: 'clock-clamped',
    sentence: 'The store clock had gone back and the bucket kept its time.',
    requires: ({ has, streams }) =>
      has('clock-step', ({ host, ms }) => {
        const isShort = streams.some(({ fullMs }) => -ms * 2 < fullMs);
        return host === 'redis' && ms <= -50 && isShort;
      }),
  },
  {
    name: 're-anchored',
    sentence: 'The store clock had gone back so far that the bucket took the present as its time.',
    requires: ({ has, streams }) =>
      has('clock-step', ({ host, ms }) => {
        return host === 'redis' && ms < 0 && streams.some(({ fullMs }) => -ms > 2 * fullMs);
      }),
  },
  {
    name: 'store-clock-gained',
    sentence: 'A store clock that had jumped forward refilled a bucket.',
    requires: ({ has, streams }) =>
      streams.length > 0 && has('clock-step', ({ host, ms }) => host === 'redis' && ms > 1000),
  },
  {
    name: 'reply-lost-after-execution',
    sentence: 'A debit happened and its check never heard of it.',
    transport: 'wire',
    requires: ({ has }) => has('reply-lost'),
  },
  {
    name: 'executed-after-settle',
    sentence: 'A script ran after its check had settled.',
    requires: lastsBeyondDeadline,
  },
  {
    name: 'noscript-recovered',
    sentence: 'The store did not know the script, and the check was decided all the same.',
    requires: ({ streams }) => streams.length > 0,
  },
  {
    name: 'store-lost-data',
    sentence: 'A bucket that was in use was gone with the store’s data.',
    requires: ({ has, streams }) => streams.length > 0 && has('store-restart', ({ lose }) => lose),
  },
  {
    name: 'waited-for-ready',
    sentence: 'A check waited for its connection and was then decided by the store.',
    transport: 'wire',
    requires: ({ has, streams }) => streams.length > 0 && has('policy-change'),
  },
  {
    name: 'deadline-reached',
    sentence: 'A check waited until its deadline and was refused.',
    requires: lastsBeyondDeadline,
  },
  {
    name: 'unavailable-at-once',
    sentence: 'A check was refused at once, since there was no connection.',
    transport: 'wire',
    requires: ({ has }) => has('store-restart', ({ durationMs }) => durationMs >= 1000),
  },
  {
    name: 'recovered',
    sentence: 'A replica was answered by the store again after trouble on the way.',
    requires: ({ has }) => has('store-restart'),
  },
  {
    name: 'settled-after-pause',
    sentence: 'A paused process settled a check after its deadline, as soon as it went on.',
    requires: () => false,
  },
  {
    name: 'check-vanished',
    sentence: 'A check ended with its process.',
    requires: () => false,
  },
  {
    name: 'gateway-gave-up',
    sentence: 'A gateway had no answer in time and refused by itself.',
    requires: ({ has, scenario }) =>
      has('crash', ({ host, durationMs }) => {
        return host.startsWith('replica') && durationMs > 2 * scenario.knobs.gatewayDeadlineMs;
      }),
  },
] as const satisfies readonly Mark[];

/** Whether the way to the store is cut for much longer than a check waits. */
function lastsBeyondDeadline({ has, scenario, streams }: ScenarioFacts): boolean {
  const longMs = 5 * scenario.knobs.deadlineMs;
  return (
    streams.length > 0 &&
    (has('partition', (fault) => isOnStoreLink(fault) && fault.durationMs > longMs) ||
      has('pause', (fault) => fault.host === 'redis' && fault.durationMs > longMs))
  );
}
