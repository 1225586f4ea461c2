// From the script's reply to a decision. The layout of the reply is described in the header of
// lua/token-bucket.lua.

import type { Decision, DecisionNote } from '../decision.ts';
import type { CompiledLimit } from '../policy/policy-set.ts';

const REFUSED = 0;
const ALLOWED = 1;
const COST_EXCEEDS_CAPACITY = 2;

/** Notes by bit of the reply's flags, lowest first. */
const NOTES: readonly DecisionNote[] = [
  'clock-behind',
  're-anchored',
  'parameters-replaced',
  'newer-revision-ruled',
  'revision-conflict',
];

const NOTES_BY_FLAGS: readonly (readonly DecisionNote[])[] = Array.from(
  { length: 2 ** NOTES.length },
  (_, flags) => NOTES.filter((_note, bit) => (flags >> bit) % 2 === 1),
);

const NOTHING: readonly never[] = [];

/** The decision a reply stands for, or `undefined` when it is no reply of the script. */
export function readReply(
  reply: unknown,
  limit: CompiledLimit,
  cost: number,
): Decision | undefined {
  if (!isNumberList(reply)) {
    return undefined;
  }
  const [status, remaining, retryAfterMs, resetMs, capacity, flags] = reply;
  const notes = NOTES_BY_FLAGS[flags];
  if (notes === undefined) {
    return undefined;
  }
  const id = limit.id;
  const limits = [{ id, remaining, capacity, resetMs, rate: limit.rate, notes }];
  const allowed: Decision = {
    kind: 'allowed',
    cost,
    delayMs: 0,
    remaining,
    resetMs,
    binding: id,
    limits,
    wouldBlock: NOTHING,
    degraded: false,
    source: 'store',
  };
  switch (status) {
    case ALLOWED:
      return allowed;
    case REFUSED:
      return { ...allowed, kind: 'denied', reason: 'rate-limited', retryAfterMs };
    case COST_EXCEEDS_CAPACITY:
      return { ...allowed, kind: 'denied', reason: 'cost-exceeds-capacity' };
    default:
      return undefined;
  }
}

type ReplyNumbers = readonly [number, number, number, number, number, number];

function isNumberList(reply: unknown): reply is ReplyNumbers {
  return Array.isArray(reply) && reply.length === 6 && reply.every(Number.isSafeInteger);
}
