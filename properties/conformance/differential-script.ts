// Differential fuzzing of the production token bucket script. Its one TIME call is replaced on both
// sides by arguments, so that a case is a state, a policy, a cost and an instant, and the real clock
// has no say. The key's expiry does come from the real clock; it is compared to within some
// milliseconds.

import { readFileSync } from 'node:fs';
import seedrandom from 'seedrandom';
import { Draw, type Expectation, SimulatedConversation } from './differential.ts';

const key = 'bucket';
const timeCall = "redis.call('TIME')";
/** Largest number the script's arithmetic is made for. */
const safeMax = Number.MAX_SAFE_INTEGER;

/** The production script with its clock in ARGV[6] (seconds) and ARGV[7] (microseconds). */
export function readScript(): string {
  const file = new URL('../../impl/lua/token-bucket.lua', import.meta.url);
  const text = readFileSync(file, 'latin1');
  const parts = text.split(timeCall);
  if (parts.length !== 2) throw new Error(`Expected one ${timeCall} in the production script.`);
  return parts.join('{ ARGV[6], ARGV[7] }');
}

interface Policy {
  readonly revision: number;
  readonly num: number;
  readonly den: number;
  readonly capacity: number;
}

/**
 * `count` cases of one seed, each a transaction that puts a state in place, runs the script and looks
 * at what it left.
 */
export function createScriptCases(seed: number, count: number): readonly Expectation[] {
  const draw = new Draw(seedrandom(`script ${seed}`));
  const conversation = new SimulatedConversation();
  const text = readScript();
  const sha = /\$40\r\n(\w+)/.exec(conversation.ask(['SCRIPT', 'LOAD', text]))?.[1] ?? '';
  const cases: Expectation[] = [{ requests: [['SCRIPT', 'LOAD', text]], replies: [bulk(sha)] }];
  let policy = drawPolicy(draw);
  let state: string | undefined;
  let nowMs = 1_700_000_000_000;
  for (let index = 0; index < count; index += 1) {
    if (draw.chance(0.05)) policy = drawPolicy(draw);
    else if (draw.chance(0.1)) policy = changePolicy(draw, policy);
    nowMs = moveClock(draw, nowMs, policy);
    const args = drawArguments(draw, policy, nowMs);
    const requests = [
      ['MULTI'],
      // The former case's key may have expired by the real clock: make sure that there is one to delete.
      ['SET', key, ''],
      ['DEL', key],
      ...placeState(draw, state),
      ['EVALSHA', sha, '1', key, ...args],
      ['TYPE', key],
      ['GET', key],
      ['PTTL', key],
      ['EXEC'],
    ];
    const expectation = conversation.askAll(requests);
    cases.push(expectation);
    state = nextState(draw, expectation.replies.at(-1) ?? '');
  }
  return cases;
}

/** EXEC's reply ends with the key's remaining life, of which the real clock has taken a little. */
export function areScriptRepliesEqual(simulated: string, real: string): boolean {
  if (simulated === real) return true;
  const [simulatedRest, simulatedMs] = splitLife(simulated);
  const [realRest, realMs] = splitLife(real);
  const lostMs = simulatedMs - realMs;
  return simulatedRest === realRest && realMs >= 0 && lostMs >= 0 && lostMs <= lostMsMax;
}

/** Longest time between the script's SET and the PTTL after it, in one transaction. */
const lostMsMax = 200;

function splitLife(reply: string): readonly [string, number] {
  const at = reply.lastIndexOf(':');
  return [reply.slice(0, at), Number(reply.slice(at + 1, -2))];
}

function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

/** A policy within the limits that the limiter sets at load. */
function drawPolicy(draw: Draw): Policy {
  for (;;) {
    const num = draw.magnitude(1e9);
    const den = draw.magnitude(1e7);
    const capacity = draw.chance(0.7) ? draw.integer(1, 1000) : draw.magnitude(9e9);
    const fullMs = (capacity * 1e6 * den) / num;
    const isLegal = (num + 1) * (den + 1) <= safeMax && capacity * 1e6 <= safeMax - 2;
    if (isLegal && fullMs <= 2 ** 52) {
      return { revision: draw.magnitude(draw.pick([3, 1000, safeMax])), num, den, capacity };
    }
  }
}

/** Another revision or other parameters under the same one. */
function changePolicy(draw: Draw, policy: Policy): Policy {
  const { num, den, capacity } = drawPolicy(draw);
  const changed = draw.chance(0.5) ? { ...policy, capacity } : { ...policy, num, den, capacity };
  const fullMs = (changed.capacity * 1e6 * changed.den) / changed.num;
  if (fullMs > 2 ** 52) return policy;
  return { ...changed, revision: Math.max(1, policy.revision + draw.integer(-1, 1)) };
}

function moveClock(draw: Draw, nowMs: number, policy: Policy): number {
  const fullMs = Math.ceil((policy.capacity * 1e6 * policy.den) / policy.num);
  const isForward = draw.chance(0.85);
  const step = draw.pick([
    0,
    0,
    1,
    7,
    draw.integer(0, 2000),
    draw.magnitude(fullMs),
    fullMs,
    fullMs + 1,
  ]);
  const moved = nowMs + (isForward ? step : -step);
  return moved > 0 && moved < 9e15 ? moved : 1_700_000_000_000;
}

function drawArguments(draw: Draw, policy: Policy, nowMs: number): readonly string[] {
  const { revision, num, den, capacity } = policy;
  const cost = draw.pick([
    1,
    1,
    1,
    0,
    draw.integer(0, 5),
    draw.magnitude(capacity),
    capacity,
    capacity + 1,
    draw.magnitude(safeMax),
  ]);
  const seconds = Math.floor(nowMs / 1000);
  const micros = (nowMs - seconds * 1000) * 1000 + draw.integer(0, 999);
  const args = [cost, revision, num, den, capacity, seconds, micros].map(String);
  if (draw.chance(0.01)) {
    const garbage = draw.pick(['', 'abc', '-1', '0', '1.5', '0x10', '1e3', ' 7 ', 'nan', 'inf']);
    args[draw.integer(0, 6)] = garbage;
  }
  return args;
}

function placeState(draw: Draw, state: string | undefined): readonly (readonly string[])[] {
  if (draw.chance(0.01)) return [['HSET', key, 'field', 'value']];
  if (state === undefined) return [];
  const isLiving = draw.chance(0.5);
  return [isLiving ? ['SET', key, state, 'PX', '10000000000000'] : ['SET', key, state]];
}

/** The state the script left, or now and then none, a damaged one, or one of random numbers. */
function nextState(draw: Draw, reply: string): string | undefined {
  const value = /\$(\d+)\r\n([\s\S]*)\r\n:-?\d+\r\n$/.exec(reply)?.[2];
  if (value === undefined || draw.chance(0.03)) return undefined;
  // A state that is refused as damaged would stay for ever.
  if (reply.includes('-WEIRSTATE') && draw.chance(0.7)) return undefined;
  if (draw.chance(0.04)) return damage(draw, value);
  return draw.chance(0.05) ? drawState(draw) : value;
}

function damage(draw: Draw, state: string): string {
  const at = draw.integer(0, state.length);
  const byte = String.fromCharCode(draw.integer(0, 255));
  return draw.pick([
    state.slice(0, at),
    state + byte,
    state.slice(0, at) + byte + state.slice(at + 1),
    state.slice(0, at) + byte + state.slice(at),
    '',
    `\x02${state.slice(1)}`,
    byte.repeat(60),
  ]);
}

/** A state that no script wrote, but whose numbers may be legal. */
function drawState(draw: Draw): string {
  const { revision, num, den, capacity } = drawPolicy(draw);
  const level = draw.pick([0, capacity * 1e6, draw.magnitude(capacity * 1e6), 1]);
  const lastMs = draw.pick([0, 1_700_000_000_000, draw.magnitude(9e15), 4_000_000_000_000]);
  const numbers = [revision, num, den, capacity, level, draw.integer(0, den), lastMs];
  return `\x01${numbers.map(packInteger).join('')}`;
}

/** Unsigned LEB128. */
function packInteger(value: number): string {
  let text = '';
  let rest = value;
  while (rest > 127) {
    text += String.fromCharCode((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return text + String.fromCharCode(rest);
}
