// How fast compiled scripts run: `npx tsx sim/lua/bench.ts [script.lua]`. A host of its own stands in for
// Redis (GET, SET, TIME on a Map), so the figure is that of the language alone. CPU time, so that a busy
// machine does not blur it. Not a test: machines differ.

import { readFileSync } from 'node:fs';
import type { LuaValue } from './index.ts';
import {
  compileChunk,
  createHostTable,
  createLuaState,
  formatNumber17,
  LuaTable,
} from './index.ts';

const ROUNDS = 7;
const RUNS_PER_ROUND = 200_000;
const KEYS = 64;

const path =
  process.argv[2] ?? new URL('../../impl/lua/token-bucket.lua', import.meta.url).pathname;
const values = new Map<string, string>();
let nowUs = 1_767_225_600_000_000;

const state = createLuaState({ globals: { redis: createHostTable({ call, pcall: call }) } });
const chunk = compileChunk(readFileSync(path, 'latin1'), '@user_script');
const rates: number[] = [];
for (let round = 0; round < ROUNDS; round++) rates.push(measure());
rates.sort((a, b) => a - b);
console.log(
  `${Math.round(rates[Math.floor(ROUNDS / 2)] ?? 0)} runs per CPU second, median of ${ROUNDS} (${rates.map(Math.round).join(' ')})`,
);
console.log(`${state.stepsUsed} steps in the last run`);

function measure(): number {
  const start = process.cpuUsage();
  for (let run = 0; run < RUNS_PER_ROUND; run++) {
    nowUs += 997;
    const keys = LuaTable.from([`weir:{t}:orders-read:1a2b3c4d:user-${run % KEYS}`]);
    const argv = LuaTable.from(['1', '1', '5000', '3', '20']);
    state.run(chunk, { keys, argv });
  }
  const { user, system } = process.cpuUsage(start);
  return RUNS_PER_ROUND / ((user + system) / 1e6);
}

function call(
  command: LuaValue,
  key: LuaValue,
  value: LuaValue,
  _px: LuaValue,
  ttl: LuaValue,
): LuaValue {
  if (command === 'GET') return values.get(String(key)) ?? false;
  if (command === 'TIME') {
    const seconds = Math.floor(nowUs / 1e6);
    return LuaTable.from([String(seconds), String(nowUs - seconds * 1e6)]);
  }
  if (typeof ttl === 'number') formatNumber17(ttl);
  values.set(String(key), String(value));
  return true;
}
