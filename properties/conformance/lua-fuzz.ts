// Differential fuzzing of sim/lua against a real Redis: batches of random cases, each batch one script
// that replies with a list of strings, run on both sides. Seeded and bounded, so a test can ask for a
// small count and a longer hunt for a large one. What differs is returned, not thrown.

import type { Redis } from 'ioredis';
import seedrandom from 'seedrandom';
import { compileChunk, createLuaState, LuaTable } from '../../sim/lua/index.ts';
import { drawProgram } from './lua-fuzz-programs.ts';

/** A whole number in [0, below). */
export type Draw = (below: number) => number;

/** One script and the arguments of its cases; `perCase` arguments belong to one case. */
export interface FuzzFamily {
  readonly script: string;
  readonly perCase: number;
  readonly casesPerBatch: number;
  drawCase(draw: Draw): string[];
}

export interface Mismatch {
  readonly family: string;
  readonly arguments: readonly string[];
  readonly real: string;
  readonly ours: string;
}

/** Runs a script on the real server with ARGV; strings are latin1. */
export type EvaluateReal = (script: string, argv: readonly string[]) => Promise<readonly string[]>;

/** Evaluates on the server an ioredis client is connected to. */
export function evaluateWith(redis: Redis): EvaluateReal {
  return async (script, argv) => {
    const bytes = argv.map((argument) => Buffer.from(argument, 'latin1'));
    const reply = await redis.callBuffer('EVAL', Buffer.from(script, 'latin1'), '0', ...bytes);
    if (!Array.isArray(reply)) throw new Error('Expected a fuzz script to reply with a list.');
    return reply.map((item) => (Buffer.isBuffer(item) ? item.toString('latin1') : String(item)));
  };
}

/** Runs `count` cases of a family on both sides. */
export async function fuzzLua(
  name: FuzzFamilyName,
  options: { readonly seed: number; readonly count: number; readonly real: EvaluateReal },
): Promise<Mismatch[]> {
  const family: FuzzFamily = FUZZ_FAMILIES[name];
  const random = seedrandom(`${name} ${options.seed}`);
  const draw: Draw = (below) => Math.floor(random() * below);
  const mismatches: Mismatch[] = [];
  for (let done = 0; done < options.count; done += family.casesPerBatch) {
    const cases = Array.from({ length: Math.min(family.casesPerBatch, options.count - done) }, () =>
      family.drawCase(draw),
    );
    const argv = cases.flat();
    const real = await options.real(family.script, argv);
    const ours = evaluateOurs(family.script, argv);
    for (const [index, given] of cases.entries()) {
      const a = real[index] ?? '(no reply)';
      const b = ours[index] ?? '(no reply)';
      if (a !== b) mismatches.push({ family: name, arguments: given, real: a, ours: b });
    }
  }
  return mismatches;
}

const state = createLuaState();

/** The list of strings a script replies with here. */
export function evaluateOurs(script: string, argv: readonly string[]): string[] {
  const chunk = compileChunk(script, '@user_script');
  const reply = state.run(chunk, { keys: new LuaTable(), argv: LuaTable.from([...argv]) });
  if (!(reply instanceof LuaTable)) throw new Error('Expected a fuzz script to reply with a list.');
  return Array.from({ length: reply.length() }, (_, index) => String(reply.get(index + 1)));
}

function each(step: number, body: string): string {
  return `local r = {} for i = 1, #ARGV, ${step} do ${body} end return r`;
}

const scratch = new DataView(new ArrayBuffer(8));

/** Doubles of every kind: any bits, whole, few decimals, exact ties of 14 and 17 digits, powers. */
export function drawDouble(draw: Draw): number {
  switch (draw(7)) {
    case 0:
      scratch.setUint32(0, draw(2 ** 32));
      scratch.setUint32(4, draw(2 ** 32));
      return scratch.getFloat64(0);
    case 1:
      return draw(2 ** 32) * draw(2 ** 31) * (draw(2) === 0 ? 1 : -1);
    case 2:
      return (draw(2 ** 32) - 2 ** 31) / 10 ** draw(12);
    case 3:
      return (draw(1e9) * 1e5 + draw(1e5) + 0.5) * 10 ** draw(4);
    case 4:
      return (draw(2 ** 26) * 2 ** 26 + draw(2 ** 26)) / 2 ** draw(60);
    case 5:
      return (draw(200) - 100) * 10 ** (draw(60) - 30);
    default:
      return (draw(1e7) * 1e7 + draw(1e7)) * 10 + 5;
  }
}

/** A text strtod reads back exactly. NaN is left out: its sign is hidden in JavaScript. */
function drawNumberText(draw: Draw): string {
  const value = drawDouble(draw);
  if (Number.isNaN(value)) return '0';
  return Object.is(value, -0) ? '-0' : String(value).replace('Infinity', 'inf');
}

function drawFormat(draw: Draw): string {
  const pick = (choices: string): string => choices.charAt(draw(choices.length));
  let flags = '';
  while (draw(3) === 0 && flags.length < 4) flags += pick('-+ #0');
  const width = draw(2) === 0 ? '' : String(draw(30));
  const precision = draw(2) === 0 ? '' : `.${draw(5) === 0 ? '' : draw(25)}`;
  return `<%${flags}${width}${precision}${pick('diouxXeEfgGcsqdfg')}>`;
}

function drawText(draw: Draw, alphabet: string, longest: number): string {
  let text = '';
  for (let left = draw(longest + 1); left > 0; left--)
    text += alphabet.charAt(draw(alphabet.length));
  return text;
}

const PATTERN_PIECES = (
  'a b c . %a %d %s %w %u %l %p %x %z %A %% %. [abc] [^a] [a-c] [%d_] []] [^]] ( ) () a* b+ c- .? .- .* ' +
  '%b() %f[%a] %1 %2 ^ $ - * + ? [ % 1 _'
).split(' ');

function drawPattern(draw: Draw): string {
  let pattern = draw(6) === 0 ? '^' : '';
  for (let left = 1 + draw(5); left > 0; left--) {
    pattern += PATTERN_PIECES[draw(PATTERN_PIECES.length)] ?? '';
  }
  return draw(6) === 0 ? `${pattern}$` : pattern;
}

const TABLE_KEYS = 'a b c key limit rate x y z k1 k2 k3 k4 k5 tokens last n err ok 1 2'.split(' ');

/** `s key value` sets, `n key` clears, `i` appends, `r` removes the last; numbers go in as numbers. */
function drawTableProgram(draw: Draw): string {
  const steps: string[] = [];
  for (let left = 1 + draw(30); left > 0; left--) {
    const key = draw(2) === 0 ? `#${draw(40) - 4}` : `$${TABLE_KEYS[draw(TABLE_KEYS.length)]}`;
    const action = 'sssinr'.charAt(draw(6));
    steps.push(action + key);
  }
  return steps.join(' ');
}

const TABLE_SCRIPT = each(
  1,
  `local t = ({{}, {1, 2, 3}, {nil, nil, 3}, {a = 1, b = 2}, {1, 2, x = 3, 4}})[#ARGV[i] % 5 + 1]
  for action, kind, key in string.gmatch(ARGV[i], "(%a)([#$])(%S+)") do
    if kind == "#" then key = tonumber(key) end
    if action == "s" then t[key] = key
    elseif action == "n" then t[key] = nil
    elseif action == "i" then table.insert(t, key)
    else table.remove(t) end
  end
  local keys = {}
  for k, v in pairs(t) do keys[#keys + 1] = tostring(k) end
  r[#r + 1] = #t .. ":" .. table.concat(keys, ",")`,
);

const ALL = `local function all(ok, ...)
  local parts = {tostring(ok)}
  for n = 1, select("#", ...) do parts[n + 1] = tostring((select(n, ...))) end
  return table.concat(parts, "|")
end `;

export const FUZZ_FAMILIES = {
  numbers: {
    script: each(
      1,
      'local x = tonumber(ARGV[i]) r[#r + 1] = tostring(x) .. " " .. string.format("%.14g %.17g", x, x) .. " " .. x',
    ),
    perCase: 1,
    casesPerBatch: 2000,
    drawCase: (draw) => [drawNumberText(draw)],
  },
  formats: {
    script: each(
      2,
      'local ok, s = pcall(string.format, ARGV[i], tonumber(ARGV[i + 1]) or ARGV[i + 1]) r[#r + 1] = tostring(s)',
    ),
    perCase: 2,
    casesPerBatch: 1000,
    drawCase: (draw) => [
      drawFormat(draw),
      draw(8) === 0 ? drawText(draw, 'ab \n"\\\r1', 12) : drawNumberText(draw),
    ],
  },
  patterns: {
    script:
      ALL +
      each(
        3,
        `local s, p, x = ARGV[i], ARGV[i + 1], ARGV[i + 2]
        local words = {}
        local ok, e = pcall(function() for a, b in string.gmatch(s, p) do words[#words + 1] = tostring(a) .. tostring(b) end end)
        r[#r + 1] = all(pcall(string.find, s, p)) .. "/" .. all(pcall(string.match, s, p, 2)) .. "/"
          .. all(pcall(string.gsub, s, p, x)) .. "/" .. tostring(e) .. table.concat(words, ";")`,
      ),
    perCase: 3,
    casesPerBatch: 500,
    drawCase: (draw) => [
      drawText(draw, 'aabbcc1_() .A]', 12),
      drawPattern(draw),
      drawText(draw, 'x%%%012a', 4),
    ],
  },
  sorts: {
    script: each(
      2,
      `local t, n = {}, 0
      for v in string.gmatch(ARGV[i], "%S+") do t[#t + 1] = tonumber(v) end
      local orders = {false, function(a, b) n = n + 1 return a > b end, function(a, b) n = n + 1 return a % 5 < b % 5 end,
        function(a, b) n = n + 1 return a <= b end, function(a, b) n = n + 1 return n % 3 == 0 end}
      local ok, e = pcall(table.sort, t, orders[tonumber(ARGV[i + 1])] or nil)
      r[#r + 1] = table.concat(t, ",") .. " " .. n .. " " .. tostring(e)`,
    ),
    perCase: 2,
    casesPerBatch: 200,
    drawCase: (draw) => [
      Array.from({ length: draw(40) }, () => draw(20)).join(' '),
      String(1 + draw(5)),
    ],
  },
  tables: {
    script: TABLE_SCRIPT,
    perCase: 1,
    casesPerBatch: 200,
    drawCase: (draw) => [drawTableProgram(draw)],
  },
  conversions: {
    script: each(
      2,
      'r[#r + 1] = tostring(tonumber(ARGV[i])) .. " " .. tostring(tonumber(ARGV[i], tonumber(ARGV[i + 1])))',
    ),
    perCase: 2,
    casesPerBatch: 1000,
    drawCase: (draw) => [drawText(draw, '0123456789abfxXeEpP.+- \tinz', 8), String(2 + draw(35))],
  },
  programs: {
    script: `local function show(v)
      if type(v) == "table" then return "T" .. #v end
      if type(v) == "function" then return "F" end
      return (string.gsub(tostring(v), "0x%x+", "address"))
    end
    local function all(ok, ...)
      local parts = {tostring(ok)}
      for n = 1, select("#", ...) do parts[n + 1] = show((select(n, ...))) end
      return table.concat(parts, "|")
    end
    local r = {} for i = 1, #ARGV do
      local f, e = loadstring(ARGV[i], "=p")
      if f then r[#r + 1] = all(pcall(f, 11, "v")) else r[#r + 1] = e end
    end return r`,
    perCase: 1,
    casesPerBatch: 100,
    drawCase: (draw) => [drawProgram(draw)],
  },
} as const satisfies Record<string, FuzzFamily>;

export type FuzzFamilyName = keyof typeof FUZZ_FAMILIES;
