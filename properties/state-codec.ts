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
/** A safe integer needs at most 8 groups of 7 bits; the last is worth this much. */
const SCALE_MAX = 0x80 ** 7;

/** The integers read last. Not an array of doubles: most are small, and are kept as such. */
const fields: (number | undefined)[] = Array.from({ length: FIELDS }, () => undefined);

/** Reads one state from its bytes (latin1); `undefined` when they are not exactly one state. */
export function decodeState(bytes: string): StoredState | undefined {
  if (bytes.charCodeAt(0) !== FORMAT || !readFields(bytes)) return undefined;
  const den = fields[2] ?? 0;
  if (den === 0) return undefined;
  return {
    revision: fields[0] ?? 0,
    num: fields[1] ?? 0,
    den,
    capacity: fields[3] ?? 0,
    level: fields[4] ?? 0,
    remainder: fields[5] ?? 0,
    lastMs: fields[6] ?? 0,
  };
}

/** Writes a state in the same layout; tests make stores with it. */
export function encodeState(state: StoredState): string {
  const { revision, num, den, capacity, level, remainder, lastMs } = state;
  const fields = [revision, num, den, capacity, level, remainder, lastMs];
  return String.fromCharCode(FORMAT) + fields.map(writeInteger).join('');
}

/** Reads the integers behind the format; false unless they are as many as they must be, to the end. */
function readFields(bytes: string): boolean {
  let count = 0;
  let value = 0;
  let scale = 1;
  for (let at = 1; at < bytes.length; at += 1) {
    const byte = bytes.charCodeAt(at);
    if (scale > SCALE_MAX) return false;
    value += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte >= 0x80) continue;
    if (count === FIELDS || value > Number.MAX_SAFE_INTEGER) return false;
    fields[count] = value;
    count += 1;
    value = 0;
    scale = 1;
  }
  return count === FIELDS && scale === 1;
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
