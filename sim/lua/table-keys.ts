// Where a key wants to live in a table's node vector: the hash functions of Lua 5.1, so that the
// order of `pairs` is the reference's. Objects have no address here; they get one from a counter that
// starts anew with each run, so a run is deterministic where the reference is not.

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);
let addresses = new WeakMap<object, number>();
const FIRST_ADDRESS = 0x7f0000000000;
const ADDRESS_STEP = 64;
let objectCount = 0;

/** Forgets all addresses, so that a run does not depend on the runs before it. */
export function restartAddresses(): void {
  if (objectCount === 0) return;
  addresses = new WeakMap();
  objectCount = 0;
}

/** The main position of a key in a node vector of `size` (a power of two) slots. */
export function hashKey(key: unknown, size: number): number {
  switch (typeof key) {
    case 'string':
      return hashString(key) & (size - 1);
    case 'number':
      return hashNumber(key, size);
    case 'boolean':
      return (key ? 1 : 0) & (size - 1);
    default:
      return (addressOf(key) % 2 ** 32) % ((size - 1) | 1);
  }
}

/** A stand-in for the machine address of a table or function. */
export function addressOf(value: unknown): number {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return 0;
  let address = addresses.get(value);
  if (address === undefined) {
    address = FIRST_ADDRESS + objectCount++ * ADDRESS_STEP;
    addresses.set(value, address);
  }
  return address;
}

/** At most 32 characters take part, from the end. */
function hashString(text: string): number {
  const step = (text.length >> 5) + 1;
  let hash = text.length;
  for (let at = text.length; at >= step; at -= step) {
    hash ^= ((hash << 5) + (hash >>> 2) + text.charCodeAt(at - 1)) | 0;
  }
  return hash;
}

function hashNumber(value: number, size: number): number {
  if (value === 0) return 0;
  scratch[0] = value;
  return (((words[0] ?? 0) + (words[1] ?? 0)) >>> 0) % ((size - 1) | 1);
}
