// Requests from an access log. What a log calls an address, a limiter may call a tenant: which field
// becomes which is the caller's choice. Every request costs one token.

import type { Request } from '../scenario/scenario.ts';
import type { AccessLogEntry } from './access-log.ts';
import { idsPerStream } from './materialise.ts';

export type LogField = 'address' | 'user' | 'agent';

export interface LogRequestOptions {
  /** What names the tenant. Default `address`. */
  readonly tenant?: LogField;
  /** What names the user within the tenant. Default `agent`. */
  readonly user?: LogField;
  /** Takes this many requests from the log's start. Default: all, at most 999 999. */
  readonly maxRequests?: number;
  /** How much faster than in life time passes: 60 makes a minute of an hour. Default 1. */
  readonly speed?: number;
}

const nameLengthMax = 200;
const pathLengthMax = 2000;

/** Requests in order of time, the first at 0, with ids from 1 in that order. */
export function requestsFromLog(
  entries: readonly AccessLogEntry[],
  options: LogRequestOptions = {},
): Request[] {
  const { tenant = 'address', user = 'agent', speed = 1 } = options;
  const taken = entries.slice(0, Math.min(options.maxRequests ?? idsPerStream, idsPerStream - 1));
  const startMs = taken[0]?.atMs ?? 0;
  return taken.map((entry, index) => ({
    id: index + 1,
    atUs: Math.floor((entry.atMs - startMs) / speed) * 1000,
    tenant: nameFrom(entry, tenant),
    user: nameFrom(entry, user),
    method: entry.method,
    path: entry.path.slice(0, pathLengthMax),
    cost: 1,
    // As a load balancer would, one gateway after the other.
    gateway: index,
  }));
}

function nameFrom(entry: AccessLogEntry, field: LogField): string {
  return (entry[field] ?? 'unknown').slice(0, nameLengthMax);
}
