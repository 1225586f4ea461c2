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
  // Written out field by field: a spread costs several times as much, on every check.
  const amounts = { cost, remaining, resetMs, id, limits };
  switch (status) {
    case ALLOWED:
      return allow(amounts);
    case REFUSED:
      return deny(amounts, retryAfterMs);
    case COST_EXCEEDS_CAPACITY:
      return { ...allow(amounts), kind: 'denied', reason: 'cost-exceeds-capacity' };
    default:
      return undefined;
  }
}

interface Amounts {
  readonly cost: number;
  readonly remaining: number;
  readonly resetMs: number;
  readonly id: string;
  readonly limits: Decision['limits'];
}

function allow({ cost, remaining, resetMs, id, limits }: Amounts): Decision {
  return {
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
}

function deny({ cost, remaining, resetMs, id, limits }: Amounts, retryAfterMs: number): Decision {
  return {
    kind: 'denied',
    reason: 'rate-limited',
    cost,
    delayMs: 0,
    remaining,
    retryAfterMs,
    resetMs,
    binding: id,
    limits,
    wouldBlock: NOTHING,
    degraded: false,
    source: 'store',
  };
}

type ReplyNumbers = readonly [number, number, number, number, number, number];

function isNumberList(reply: unknown): reply is ReplyNumbers {
  return Array.isArray(reply) && reply.length === 6 && reply.every(Number.isSafeInteger);
}
