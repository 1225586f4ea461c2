// Every key expires, so the store forgets who has gone; and no sooner than the bucket is full, so that
// forgetting changes no decision. It does not linger much longer either.

import { fullAtMs } from '../../model/index.ts';
import type { Execution } from '../oracle/records.ts';
import type { Invariant } from './invariant.ts';

/** A key may outlive its full bucket by one time to full and this many milliseconds. */
const LINGER_MS = 60_000;

export const keyHasTtl: Invariant = {
  name: 'key-has-ttl',
  sentence: 'Every key has a time to live that ends when its bucket is full, or soon after.',
  create: ({ oracle, evaluated, violate }) => ({
    'script-executed': (event) => {
      const { execution } = oracle;
      for (const { key, after, expiresAtMs } of event.keys) {
        if (after === undefined) continue;
        evaluated();
        if (expiresAtMs === undefined) violate(`${key} has no time to live.`, event.atUs);
      }
      if (execution === undefined) return;
      const wrong = findWrong(execution);
      if (wrong !== undefined) violate(`${execution.bucket.id} ${wrong}`, event.atUs);
    },
  }),
};

/** What is wrong with the expiry, as the end of a sentence. */
function findWrong({ found, decision, change, storeMs }: Execution): string | undefined {
  if (found === 'vanished') return 'was gone before it was full.';
  const { state } = decision;
  const { expiresAtMs, after, before } = change;
  // Judged where it was written; a refusal leaves the expiry as it is.
  if (state === undefined || expiresAtMs === undefined || after === before) return undefined;
  const fullMs = fullAtMs(state);
  if (expiresAtMs < fullMs) return `expires ${fullMs - expiresAtMs} ms before it is full.`;
  const lingersMs = expiresAtMs - Math.max(fullMs, storeMs);
  return lingersMs > state.parameters.fullMs + LINGER_MS
    ? `stays ${lingersMs} ms after it is full.`
    : undefined;
}
