// The policies and the access log that come with Weir, so that `npm start` has real input. They are
// files in traces/workloads, for people to read and change; this finds and reads them.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Request } from '../scenario/scenario.ts';
import { loadAccessLog } from './log-file.ts';
import { requestsFromLog } from './log-requests.ts';

let policies: unknown;
let log: readonly Request[] | undefined;

/** The shipped policy document, plain data. Read once. */
export function shippedPolicies(): unknown {
  policies ??= parse(readFileSync(shippedFile('policies.yaml'), 'utf8'));
  return policies;
}

/** The shipped log's requests. Read once. */
export function shippedLog(): readonly Request[] {
  log ??= requestsFromLog(loadAccessLog(shippedFile('access.log')).entries);
  return log;
}

/** The path of a file in traces/workloads, from the sources and from dist alike. */
export function shippedFile(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'traces', 'workloads'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`Expected traces/workloads above ${import.meta.url}.`);
    folder = parent;
  }
  return join(folder, 'traces', 'workloads', name);
}
