// The math library of Lua 5.1. exp, log, log10 and the trigonometric functions are V8's, which differ
// from glibc's in the last bit for some arguments; scripts that must agree bit for bit avoid them.

import * as check from './arguments.ts';
import { throwArgumentError, throwNativeError } from './errors.ts';
import { NOTHING } from './operations.ts';
import { power } from './power.ts';
import type { LuaRandom } from './random.ts';
import type { LuaFunction, LuaResult, LuaValue } from './table.ts';

const RADIANS_PER_DEGREE = Math.PI / 180;
/** Redis scales lrand48 by the largest C int. */
const RANDOM_SCALE = 2147483647;

export function createMathLibrary(random: LuaRandom): Record<string, LuaFunction | number> {
  return {
    ...FUNCTIONS,
    huge: Number.POSITIVE_INFINITY,
    pi: Math.PI,
    random: function lua$random(...args: LuaValue[]): LuaResult {
      const fraction = (random.next() % RANDOM_SCALE) / RANDOM_SCALE;
      if (args.length === 0) return fraction;
      if (args.length > 2) return throwNativeError('wrong number of arguments');
      const low = args.length === 1 ? 1 : check.checkInt(args, 1);
      const high = check.checkInt(args, args.length);
      if (low > high) throwArgumentError(args.length, 'interval is empty');
      if (args.length === 1) return Math.floor(fraction * high) + 1;
      return Math.floor(fraction * (high - low + 1)) + low;
    },
    randomseed: function lua$randomseed(...args: LuaValue[]): LuaResult {
      random.seed(check.checkInt(args, 1));
      return NOTHING;
    },
  };
}

const FUNCTIONS: Readonly<Record<string, LuaFunction>> = {
  abs: lua$abs,
  acos: lua$acos,
  asin: lua$asin,
  atan: lua$atan,
  atan2: lua$atan2,
  ceil: lua$ceil,
  cos: lua$cos,
  cosh: lua$cosh,
  deg: lua$deg,
  exp: lua$exp,
  floor: lua$floor,
  fmod: lua$fmod,
  frexp: lua$frexp,
  ldexp: lua$ldexp,
  log: lua$log,
  log10: lua$log10,
  max: lua$max,
  min: lua$min,
  mod: lua$fmod,
  modf: lua$modf,
  pow: lua$pow,
  rad: lua$rad,
  sin: lua$sin,
  sinh: lua$sinh,
  sqrt: lua$sqrt,
  tan: lua$tan,
  tanh: lua$tanh,
};

function lua$abs(...args: LuaValue[]): LuaResult {
  return Math.abs(check.checkNumber(args, 1));
}

function lua$acos(...args: LuaValue[]): LuaResult {
  return Math.acos(check.checkNumber(args, 1));
}

function lua$asin(...args: LuaValue[]): LuaResult {
  return Math.asin(check.checkNumber(args, 1));
}

function lua$atan(...args: LuaValue[]): LuaResult {
  return Math.atan(check.checkNumber(args, 1));
}

function lua$atan2(...args: LuaValue[]): LuaResult {
  return Math.atan2(check.checkNumber(args, 1), check.checkNumber(args, 2));
}

function lua$ceil(...args: LuaValue[]): LuaResult {
  return Math.ceil(check.checkNumber(args, 1));
}

function lua$cos(...args: LuaValue[]): LuaResult {
  return Math.cos(check.checkNumber(args, 1));
}

function lua$cosh(...args: LuaValue[]): LuaResult {
  return Math.cosh(check.checkNumber(args, 1));
}

function lua$deg(...args: LuaValue[]): LuaResult {
  return check.checkNumber(args, 1) / RADIANS_PER_DEGREE;
}

function lua$exp(...args: LuaValue[]): LuaResult {
  return Math.exp(check.checkNumber(args, 1));
}

function lua$floor(...args: LuaValue[]): LuaResult {
  return Math.floor(check.checkNumber(args, 1));
}

function lua$fmod(...args: LuaValue[]): LuaResult {
  return check.checkNumber(args, 1) % check.checkNumber(args, 2);
}

/** x = m · 2^e with 0.5 <= |m| < 1. */
function lua$frexp(...args: LuaValue[]): LuaResult {
  const value = check.checkNumber(args, 1);
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let mantissa = value * 2 ** -exponent;
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent--;
  }
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent++;
  }
  return [mantissa, exponent];
}

function lua$ldexp(...args: LuaValue[]): LuaResult {
  const mantissa = check.checkNumber(args, 1);
  const exponent = Math.min(Math.max(check.checkInt(args, 2), -2200), 2200);
  const steps = Math.ceil(Math.abs(exponent) / 1000) || 1;
  let value = mantissa;
  for (let step = 0, done = 0; step < steps; step++) {
    const next = Math.trunc((exponent * (step + 1)) / steps);
    value *= 2 ** (next - done);
    done = next;
  }
  return value;
}

function lua$log(...args: LuaValue[]): LuaResult {
  return Math.log(check.checkNumber(args, 1));
}

function lua$log10(...args: LuaValue[]): LuaResult {
  return Math.log10(check.checkNumber(args, 1));
}

function lua$max(...args: LuaValue[]): LuaResult {
  let largest = check.checkNumber(args, 1);
  for (let position = 2; position <= args.length; position++) {
    const value = check.checkNumber(args, position);
    if (value > largest) largest = value;
  }
  return largest;
}

function lua$min(...args: LuaValue[]): LuaResult {
  let smallest = check.checkNumber(args, 1);
  for (let position = 2; position <= args.length; position++) {
    const value = check.checkNumber(args, position);
    if (value < smallest) smallest = value;
  }
  return smallest;
}

function lua$modf(...args: LuaValue[]): LuaResult {
  const value = check.checkNumber(args, 1);
  const whole = Math.trunc(value);
  return [whole, Number.isFinite(value) ? value - whole : value - value || 0];
}

function lua$pow(...args: LuaValue[]): LuaResult {
  return power(check.checkNumber(args, 1), check.checkNumber(args, 2));
}

function lua$rad(...args: LuaValue[]): LuaResult {
  return check.checkNumber(args, 1) * RADIANS_PER_DEGREE;
}

function lua$sin(...args: LuaValue[]): LuaResult {
  return Math.sin(check.checkNumber(args, 1));
}

function lua$sinh(...args: LuaValue[]): LuaResult {
  return Math.sinh(check.checkNumber(args, 1));
}

function lua$sqrt(...args: LuaValue[]): LuaResult {
  return Math.sqrt(check.checkNumber(args, 1));
}

function lua$tan(...args: LuaValue[]): LuaResult {
  return Math.tan(check.checkNumber(args, 1));
}

function lua$tanh(...args: LuaValue[]): LuaResult {
  return Math.tanh(check.checkNumber(args, 1));
}
