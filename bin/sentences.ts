// A run in plain sentences: one for each history event, as a person would tell it.

import type { HistoryEvent, HistoryEventOf, Outcome } from '../sim/run/history.ts';
import type { Fault } from '../sim/scenario/scenario.ts';

/** The event's time and what happened, on one line. */
export function describeEvent(event: HistoryEvent): string {
  return `${formatSeconds(event.atUs).padStart(12)} s  ${tell(event)}`;
}

/** Microseconds as seconds with all six digits. */
export function formatSeconds(us: number): string {
  return (us / 1e6).toFixed(6);
}

function tell(event: HistoryEvent): string {
  switch (event.kind) {
    case 'run-started':
      return tellStart(event);
    case 'request':
      return tellRequest(event);
    case 'check-started':
      return `${event.host} starts to check operation ${event.operation}.`;
    case 'script-sent':
      return event.operation === 0
        ? `${event.host} sends ${event.command} to the store although no check waits for it.`
        : `${event.host} sends ${event.command} for operation ${event.operation} to the store.`;
    case 'script-executed':
      return tellScript(event);
    case 'check-settled':
      return tellSettled(event);
    case 'answered':
      return event.by === 'replica'
        ? `The gateway tells the client of operation ${event.operation}: ${word(event.allowed)}.`
        : `The gateway waits no longer for operation ${event.operation}: ${word(event.allowed)}.`;
    case 'upstream':
      return `Operation ${event.operation} reaches the upstream.`;
    case 'fault':
      return `Fault ${event.fault.id} ${event.phase === 'begin' ? 'begins' : 'ends'}: ${describeFault(event.fault)}.`;
    case 'host':
      return `${event.host} is ${event.state} (incarnation ${event.incarnation}).`;
    case 'store-lost':
      return 'The store has lost all its keys.';
    case 'host-failure':
      return `${event.host} dies of an unhandled error: ${event.error}.`;
    case 'run-ended':
      return tellEnd(event);
  }
}

function tellStart({ scenario }: HistoryEventOf<'run-started'>): string {
  const { topology, workload, faults, seed } = scenario;
  const load =
    workload.kind === 'requests'
      ? count(workload.requests.length, 'request')
      : count(workload.streams.length, 'stream of requests', 'streams of requests');
  const hosts = `${count(topology.gateways, 'gateway')}, ${count(topology.replicas, 'replica')}`;
  return `The run starts: ${hosts}, ${load}, ${count(faults.length, 'fault')}, seed ${seed}.`;
}

function tellRequest({ operation, request, attempt }: HistoryEventOf<'request'>): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `Request ${request.id}${again} (operation ${operation}): ${request.method} ${request.path}, tenant ${quote(request.tenant)}, user ${quote(request.user)}, cost ${request.cost}.`;
}

function tellScript(event: HistoryEventOf<'script-executed'>): string {
  const whose = event.operation === 0 ? 'a script of no check' : `operation ${event.operation}`;
  const time = new Date(event.storeMs).toISOString();
  if (event.failed && event.keys.length === 0) {
    return `The store is asked to run ${whose} at its ${time}, and does not know the script.`;
  }
  if (event.failed) {
    return `The store runs ${whose} at its ${time}: the script fails (${event.error ?? 'it does not end'}).`;
  }
  const changes = event.keys.filter(({ before, after }) => before !== after);
  const told = changes.length === 0 ? 'nothing changes' : changes.map(tellChange).join('; ');
  return `The store runs ${whose} at its ${time}: ${told}.`;

  function tellChange(change: (typeof event.keys)[number]): string {
    const key = quote(change.key);
    if (change.after === undefined) return `${key} is deleted`;
    const life =
      change.expiresAtMs === undefined
        ? 'without an expiry'
        : `expiring in ${change.expiresAtMs - event.storeMs} ms`;
    return `${key} is ${change.before === undefined ? 'created' : 'updated'}, ${life}`;
  }
}

function tellSettled(event: HistoryEventOf<'check-settled'>): string {
  const who = `${event.host} answers operation ${event.operation}`;
  if (event.outcome === undefined) return `${who} with an error: ${event.error}.`;
  return `${who}: ${describeOutcome(event.outcome)}.`;
}

function describeOutcome(outcome: Outcome): string {
  const parts = [word(outcome.allowed)];
  if (outcome.reason !== undefined) parts.push(`reason ${outcome.reason}`);
  if (outcome.remaining !== undefined) parts.push(`${outcome.remaining} remaining`);
  if (outcome.resetMs !== undefined) parts.push(`full in ${outcome.resetMs} ms`);
  if (outcome.retryAfterMs !== undefined) parts.push(`retry after ${outcome.retryAfterMs} ms`);
  if (outcome.degraded === true) parts.push('degraded');
  return parts.join(', ');
}

function tellEnd(event: HistoryEventOf<'run-ended'>): string {
  const left = event.left.map(({ host, what, count: n }) => `${count(n, what)} on ${host}`);
  const parts = [`The run ends: ${event.ending}`];
  if (left.length > 0) parts.push(`left over: ${left.join(', ')}`);
  if (event.unsettled.length > 0) parts.push(`never settled: ${event.unsettled.join(', ')}`);
  return `${parts.join('; ')}.`;
}

/** A fault in a few words, without its time. */
export function describeFault(fault: Fault): string {
  const words = fault.kind.replaceAll('-', ' ');
  const lasting = 'durationMs' in fault ? ` for ${fault.durationMs} ms` : '';
  switch (fault.kind) {
    case 'partition':
      return `${words} between ${fault.from} and ${fault.to}${fault.direction === 'forward' ? ', one way' : ''}${lasting}`;
    case 'black-hole':
    case 'reset':
      return `${words} between ${fault.from} and ${fault.to}${lasting}`;
    case 'fragmentation':
      return `${words} between ${fault.from} and ${fault.to} into ${fault.bytes} bytes${lasting}`;
    case 'slow-link':
      return `${words} between ${fault.from} and ${fault.to}, ${fault.extraUs} µs more${lasting}`;
    case 'reply-lost':
    case 'reset-mid-script':
      return `${words} for ${fault.host}`;
    case 'crash':
    case 'pause':
      return `${words} of ${fault.host}${lasting}`;
    case 'clock-step':
      return `${words} of ${fault.host} by ${fault.ms} ms`;
    case 'clock-drift':
      return `${words} of ${fault.host} by ${fault.ppm} ppm`;
    case 'store-restart':
      return `${words} ${fault.lose ? 'without' : 'with'} its data${lasting}`;
    case 'refuse-connections':
    case 'script-flush':
    case 'policy-change':
      return `${words}${lasting}`;
  }
}

function word(allowed: boolean): string {
  return allowed ? 'allowed' : 'denied';
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** Names may hold anything; control characters and bytes are shown, not printed. */
function quote(text: string): string {
  return JSON.stringify(text);
}
