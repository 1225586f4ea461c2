// Reads the packed state of a token bucket as it lies in the store, from the documented layout alone:
// byte 0 is the format (1); then, as unsigned LEB128 integers, revision, num, den, capacity in whole
// tokens, level in microtokens, remainder (0 to den − 1) and the last store millisecond. The exact
// level is level + remainder/den microtokens; the rate is num/den microtokens per millisecond.
//
// Written independently of the script that packs it, so a misplaced byte there is found here.

export interface StoredState {
  readonly revision: number;
  readonly num: number;
  readonly den: number;
  readonly capacity: number;
  readonly level: number;
  readonly remainder: number;
  readonly lastMs: number;
}

const FORMAT = 1;
const FIELDS = 7;
/** A safe integer needs at most 8 groups of 7 bits. */
const GROUPS_MAX = 8;

let cursor = 0;

/** Reads one state from its bytes (latin1); `undefined` when they are not exactly one state. */
export function decodeState(bytes: string): StoredState | undefined {
  if (bytes.charCodeAt(0) !== FORMAT) return undefined;
  cursor = 1;
  const state: StoredState = {
    revision: readInteger(bytes),
    num: readInteger(bytes),
    den: readInteger(bytes),
    capacity: readInteger(bytes),
    level: readInteger(bytes),
    remainder: readInteger(bytes),
    lastMs: readInteger(bytes),
  };
  return cursor === bytes.length && state.den > 0 ? state : undefined;
}

/** Writes a state in the same layout; tests make stores with it. */
export function encodeState(state: StoredState): string {
  const { revision, num, den, capacity, level, remainder, lastMs } = state;
  const fields = [revision, num, den, capacity, level, remainder, lastMs];
  return String.fromCharCode(FORMAT) + fields.map(writeInteger).join('');
}

/** Reads the integer at the cursor; past the end or past 2^53 the cursor ends beyond the bytes. */
function readInteger(bytes: string): number {
  let value = 0;
  let scale = 1;
  for (let group = 0; group < GROUPS_MAX; group += 1) {
    const byte = bytes.charCodeAt(cursor);
    cursor += 1;
    value += (byte & 0x7f) * scale;
    if (!(byte >= 0x80)) break;
    scale *= 0x80;
  }
  if (cursor > bytes.length || value > Number.MAX_SAFE_INTEGER) cursor = bytes.length + FIELDS;
  return value;
}

function writeInteger(value: number): string {
  let rest = value;
  let bytes = '';
  while (rest >= 0x80) {
    bytes += String.fromCharCode((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return bytes + String.fromCharCode(rest);
}
