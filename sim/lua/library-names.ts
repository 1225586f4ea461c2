// Which globals Redis 7.0.15 gives a script, which of them exist here, and what the compiler may
// assume of them. The compiler binds library functions directly, as the library tables are read-only.

/** Globals of Redis that are not offered here; a script that names one is refused when it is loaded. */
export const REFUSED_GLOBALS: ReadonlyMap<string, string> = new Map([
  ['bit', 'the bit library'],
  ['cjson', 'the cjson library'],
  ['cmsgpack', 'the cmsgpack library'],
  ['struct', 'the struct library'],
  ['coroutine', 'coroutines'],
  ['gcinfo', 'memory figures'],
  ['collectgarbage', 'the garbage collector'],
  ['__redis__err__handler', "Redis' internal error handler"],
]);

/** Library members refused likewise. */
export const REFUSED_MEMBERS: ReadonlyMap<string, string> = new Map([['string.dump', 'bytecode']]);

/** Every refusal, for documentation and reports: what a script names, and what that is. */
export const REFUSALS: readonly { readonly name: string; readonly what: string }[] = [
  ...REFUSED_GLOBALS,
  ...REFUSED_MEMBERS,
].map(([name, what]) => ({ name, what }));

/** Globals that are there under this name in every state. */
export const BASE_FUNCTIONS: readonly string[] = (
  'assert error getmetatable ipairs load loadstring next pairs pcall rawequal rawget rawset ' +
  'select setmetatable tonumber tostring type unpack xpcall'
).split(' ');

export const LIBRARY_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  string: 'byte char find format gfind gmatch gsub len lower match rep reverse sub upper'.split(
    ' ',
  ),
  table: 'concat foreach foreachi getn insert maxn remove setn sort'.split(' '),
  math: (
    'abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp ldexp log log10 max min mod ' +
    'modf pow rad random randomseed sin sinh sqrt tan tanh'
  ).split(' '),
};

export const LIBRARY_CONSTANTS: Readonly<Record<string, readonly string[]>> = {
  math: ['huge', 'pi'],
};

/** Functions of the host's `redis` table that always give exactly one value. */
const REDIS_SINGLE = 'call pcall sha1hex status_reply error_reply'.split(' ');

const MANY = new Set(
  (
    'assert error ipairs load loadstring next pairs pcall select unpack xpcall string.byte ' +
    'string.find string.match string.gsub string.gmatch string.gfind table.foreach ' +
    'table.foreachi table.insert table.setn table.sort table.remove math.frexp math.modf ' +
    'math.randomseed'
  ).split(' '),
);

const SINGLE = new Set([
  ...BASE_FUNCTIONS.filter((name) => !MANY.has(name)),
  ...Object.entries(LIBRARY_FUNCTIONS).flatMap(([library, names]) =>
    names.map((name) => `${library}.${name}`).filter((path) => !MANY.has(path)),
  ),
  ...REDIS_SINGLE.map((name) => `redis.${name}`),
]);

const TEXT = new Set(
  'string.char string.format string.lower string.rep string.reverse string.sub string.upper table.concat type'.split(
    ' ',
  ),
);

/** Library functions that call back into Lua code. */
const CALLING = new Set(
  'pcall xpcall load tostring string.gsub table.sort table.foreach table.foreachi'.split(' '),
);

/** Gives exactly one value, always. */
export function isSingleResult(path: string): boolean {
  return SINGLE.has(path);
}

/** Gives a number or fails. */
export function isNumberResult(path: string): boolean {
  if (path === 'string.len' || path === 'table.getn' || path === 'table.maxn') return true;
  return path.startsWith('math.') && SINGLE.has(path);
}

/** Gives a string or fails. */
export function isTextResult(path: string): boolean {
  return TEXT.has(path);
}

/** May run Lua code, so that its caller can recurse. */
export function callsBack(path: string): boolean {
  return CALLING.has(path) || path.startsWith('redis.');
}
