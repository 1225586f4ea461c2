// Finds where in a Lua text the running JavaScript is. Generated code keeps no line counter: every
// operation that can fail starts a JavaScript line of its own, and a table says which Lua line and
// which variable names belong to that line. So positions cost nothing until an error asks for them,
// when they are read from V8's structured stack.
// Only generated code (by script name) and library functions (by the prefix of their name) count as
// Lua stack levels; every other frame is machinery.

/** What one fallible operation of a Lua text is, for error messages. */
export interface Site {
  readonly line: number;
  /** How the callee or the operands are named, for example `local 'x'`; undefined where Lua finds no name. */
  readonly names: readonly (string | undefined)[];
  /** A `tail-call` is one whose result is returned: Lua gives up the caller's frame for it. */
  readonly kind: 'operation' | 'call' | 'tail-call';
}

/** One level of the Lua stack; a library function has no site. */
export interface Frame {
  readonly chunkId: string;
  readonly chunkName: string;
  readonly site: Site | undefined;
}

/** A stack level without a line: a library or host function, or a frame given up by a tail call. */
export type Level = Frame | 'native' | 'tail-call';

interface Positions {
  readonly chunkName: string;
  readonly chunkId: string;
  /** By JavaScript line, counted from 1. */
  readonly sites: readonly (Site | undefined)[];
}

/** Library and host functions carry names that begin so. */
export const NATIVE_PREFIX = 'lua$';

const SCRIPT_PREFIX = 'weir-lua-';
const SHORT_STACK = 40;
const MAX_ID_LENGTH = 60;
const positionsByScript = new Map<string, Positions>();
let scriptCount = 0;

export function nextScriptName(): string {
  return `${SCRIPT_PREFIX}${scriptCount++}`;
}

export function registerPositions(scriptName: string, positions: Positions): void {
  positionsByScript.set(scriptName, positions);
}

/** The Lua stack, innermost first. */
export function captureFrames(wanted: number): Level[] {
  const sites = captureCallSites(SHORT_STACK);
  const frames = toFrames(sites);
  if (frames.length >= wanted || sites.length < SHORT_STACK) return frames;
  return toFrames(captureCallSites(Number.POSITIVE_INFINITY));
}

/** The name of a chunk as messages show it. */
export function chunkIdOf(chunkName: string): string {
  if (chunkName.startsWith('=')) return chunkName.slice(1, MAX_ID_LENGTH);
  if (chunkName.startsWith('@')) {
    const name = chunkName.slice(1);
    const room = MAX_ID_LENGTH - ' ... '.length - 3;
    return name.length > room ? `...${name.slice(-room)}` : name;
  }
  return stringChunkId(chunkName);
}

function stringChunkId(text: string): string {
  const firstLine = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const room = MAX_ID_LENGTH - ' [string "..."] '.length - 1;
  const isCut = firstLine.length < text.length || firstLine.length > room;
  return isCut ? `[string "${firstLine.slice(0, room)}..."]` : `[string "${text}"]`;
}

function toFrames(callSites: readonly NodeJS.CallSite[]): Level[] {
  const frames: Level[] = [];
  for (const callSite of callSites) {
    const positions = positionsByScript.get(callSite.getScriptNameOrSourceURL() ?? '');
    if (positions !== undefined) {
      const site = positions.sites[callSite.getLineNumber() ?? 0];
      const isGivenUp =
        site?.kind === 'tail-call' && frames.length > 0 && frames.at(-1) !== 'native';
      const { chunkId, chunkName } = positions;
      frames.push(isGivenUp ? 'tail-call' : { chunkId, chunkName, site });
    } else if (callSite.getFunctionName()?.startsWith(NATIVE_PREFIX)) frames.push('native');
  }
  return frames;
}

/** Borrows V8's stack hook for one capture and puts back what was there. */
function captureCallSites(limit: number): NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = limit;
    Error.prepareStackTrace = (_error, callSites) => callSites;
    Error.captureStackTrace(holder, captureFrames);
    return Array.isArray(holder.stack) ? holder.stack : [];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (prepareStackTrace === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Error.prepareStackTrace = prepareStackTrace;
  }
}
