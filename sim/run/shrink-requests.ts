// Passes that make the traffic smaller: fewer requests first, then plainer ones.

import type { Fault, Request } from '../scenario/scenario.ts';
import type { Attempts } from './shrink-attempts.ts';
import { keepShortestEnd, reduceList } from './shrink-list.ts';

/** Drops what comes after the violation: it cannot have caused it. */
export async function cutAfterViolation(attempts: Attempts): Promise<void> {
  const { atUs } = attempts.hint;
  if (atUs === undefined) return;
  const requests = attempts.requests.filter((request) => request.atUs <= atUs);
  const faults = attempts.faults.filter((fault) => fault.atMs * 1000 <= atUs);
  if (await attempts.tryRequests(requests, { faults })) return;
  await attempts.tryRequests(requests);
}

/** Keeps the requests of the bucket concerned alone, if it is known. */
export async function focusOnBucket(attempts: Attempts): Promise<void> {
  const { tenant, user, requestIds } = attempts.hint;
  if (requestIds !== undefined) {
    const wanted = new Set(requestIds);
    if (await attempts.tryRequests(attempts.requests.filter(({ id }) => wanted.has(id)))) return;
  }
  if (tenant === undefined) return;
  const ofTenant = attempts.requests.filter((request) => request.tenant === tenant);
  if (user !== undefined) {
    if (await attempts.tryRequests(ofTenant.filter((request) => request.user === user))) return;
  }
  await attempts.tryRequests(ofTenant);
}

/** Finds how far back the requests matter. */
export async function keepLastRequests(attempts: Attempts): Promise<void> {
  await keepShortestEnd(attempts.requests, (requests) => attempts.tryRequests(requests));
}

export async function dropRequests(attempts: Attempts): Promise<void> {
  await reduceList(attempts.requests, (requests) => attempts.tryRequests(requests));
}

export async function dropRetries(attempts: Attempts): Promise<void> {
  await changeAllOrEach(attempts, ({ retry: _, ...request }) => request);
  await changeAllOrEach(attempts, (request) =>
    request.retry === undefined
      ? request
      : { ...request, retry: { ...request.retry, attempts: 1 } },
  );
}

/**
 * Replaces several requests of one client by one that costs as much as they do together. A bucket
 * that takes twenty requests to empty is emptied by one of twenty tokens as well.
 */
export async function mergeRequests(attempts: Attempts): Promise<void> {
  for (const client of groupByClient(attempts.requests).values())
    await mergeGroup(attempts, client);
}

async function mergeGroup(attempts: Attempts, group: readonly Request[]): Promise<void> {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined || group.length < 2) return;
  const cost = group.reduce((sum, request) => sum + request.cost, 0);
  const members = new Set(group.map(({ id }) => id));
  for (const kept of [first, last]) {
    const requests = attempts.requests.flatMap((request) => {
      if (request.id === kept.id) return [{ ...request, cost }];
      return members.has(request.id) ? [] : [request];
    });
    if (await attempts.tryRequests(requests)) return;
  }
  if (group.length === 2) return;
  const middle = group.length >> 1;
  await mergeGroup(attempts, group.slice(0, middle));
  await mergeGroup(attempts, group.slice(middle));
}

function groupByClient(requests: readonly Request[]): Map<string, Request[]> {
  const groups = new Map<string, Request[]>();
  for (const request of requests) {
    const key = JSON.stringify([request.tenant, request.user, request.method, request.path]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [request]);
    else group.push(request);
  }
  return groups;
}

/** One tenant and one user for all, else one after the other made the same as the first. */
export async function mergeClients(attempts: Attempts): Promise<void> {
  for (const field of ['tenant', 'user', 'path'] as const) {
    const [first] = attempts.requests;
    if (first === undefined) return;
    const value = first[field];
    // Another path may belong to another limit, so only those of the same method and form.
    const isAlike = (request: Request): boolean => field !== 'path' || isSameForm(request, first);
    await changeAllOrEach(attempts, (request) =>
      isAlike(request) ? { ...request, [field]: value } : request,
    );
  }
}

function isSameForm(one: Request, other: Request): boolean {
  const form = (request: Request): string => request.path.replace(/\d+/g, '0');
  return one.method === other.method && form(one) === form(other);
}

/** Costs of 1, one gateway, plain numbers in paths. */
export async function simplifyRequests(attempts: Attempts): Promise<void> {
  await changeAllOrEach(attempts, (request) => ({ ...request, cost: 1 }));
  await changeAllOrEach(attempts, (request) => ({ ...request, gateway: 0 }));
  await changeAll(attempts, (request) => ({
    ...request,
    path: request.path.replace(/\/\d+(?=\/|$)/g, '/1'),
  }));
}

/** Moves the whole story to the run's start, then squeezes it, closes its gaps and rounds it. */
export async function simplifyTimes(attempts: Attempts): Promise<void> {
  await moveToStart(attempts);
  for (let halvings = 0; halvings < 8; halvings += 1) {
    const isTaken = await changeTimes(attempts, (atUs) => floorTo(atUs / 2, 1000));
    if (!isTaken) break;
  }
  await closeGaps(attempts);
  for (const grainUs of [1_000_000, 100_000, 10_000, 1000]) {
    if (await changeTimes(attempts, (atUs) => floorTo(atUs, grainUs))) break;
  }
}

async function moveToStart(attempts: Attempts): Promise<void> {
  const first = Math.min(...eventTimes(attempts));
  // Some failures need the clients' connections to stand first.
  for (const startUs of [0, 1_000_000]) {
    if (first <= startUs || !Number.isFinite(first)) return;
    if (await changeTimes(attempts, (atUs) => atUs - floorTo(first - startUs, 1000))) return;
  }
}

/** Only a short story is worth a run for each of its gaps. */
const gapsMax = 40;

async function closeGaps(attempts: Attempts): Promise<void> {
  const count = new Set(eventTimes(attempts)).size;
  if (count > gapsMax) return;
  for (let index = 1; index < count; index += 1) {
    const times = [...new Set(eventTimes(attempts))].sort((one, other) => one - other);
    const before = times[index - 1];
    const at = times[index];
    if (before === undefined || at === undefined) return;
    for (const gapUs of [1000, 10_000, 100_000, 1_000_000]) {
      const excessUs = floorTo(at - before - gapUs, 1000);
      if (excessUs <= 0) break;
      if (await changeTimes(attempts, (atUs) => (atUs >= at ? atUs - excessUs : atUs))) break;
    }
  }
}

function eventTimes(attempts: Attempts): number[] {
  return [
    ...attempts.requests.map((request) => request.atUs),
    ...attempts.faults.map((fault) => fault.atMs * 1000),
  ];
}

/** Changes the times of requests and faults alike, so that their order stays. */
async function changeTimes(attempts: Attempts, change: (atUs: number) => number): Promise<boolean> {
  const requests = attempts.requests.map((request) => ({ ...request, atUs: change(request.atUs) }));
  const faults: Fault[] = attempts.faults.map((fault) => ({
    ...fault,
    atMs: Math.floor(change(fault.atMs * 1000) / 1000),
  }));
  return attempts.tryRequests(requests, { faults });
}

function floorTo(value: number, grain: number): number {
  return Math.floor(value / grain) * grain;
}

/** One try for all requests together and, failing that, one for each if they are few. */
async function changeAllOrEach(
  attempts: Attempts,
  change: (request: Request) => Request,
): Promise<void> {
  if (await changeAll(attempts, change)) return;
  if (attempts.requests.length > gapsMax) return;
  for (const { id } of attempts.requests) {
    const requests = attempts.requests.map((request) =>
      request.id === id ? change(request) : request,
    );
    await attempts.tryRequests(requests);
  }
}

async function changeAll(
  attempts: Attempts,
  change: (request: Request) => Request,
): Promise<boolean> {
  return attempts.tryRequests(attempts.requests.map(change));
}
