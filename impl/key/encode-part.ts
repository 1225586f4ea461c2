// One part of a store key. The encoding is injective: two different values never give one text, and
// no text contains a character that means something in a key. It is plain ASCII, so that nothing
// depends on how a client turns strings into bytes (lone surrogates would all become one character).

import { createHash } from 'node:crypto';
import { UsageError } from '../usage-error.ts';

const PLAIN = /^[A-Za-z0-9_.~@+=,;/-]+$/;
const UNSAFE = /[^A-Za-z0-9_.~@+=,;/-]/g;

/** A missing value and an empty one: marks no escape can produce, as those have four digits. */
const MISSING = '%';
const EMPTY = '%%';

/** Values longer than this are keyed by their hash, so that a client cannot choose the key's size. */
const LONGEST_PLAIN = 128;

/** Encodes one value: safe characters as they are, others as `%` and four hexadecimal digits. */
export function encodePart(value: string | undefined): string {
  if (value === undefined) {
    return MISSING;
  }
  if (typeof value !== 'string') {
    const message = `Expected each part of the descriptor to be a string, got ${typeof value}.`;
    throw new UsageError('invalid-descriptor', message);
  }
  if (value.length > LONGEST_PLAIN) {
    return encodeSecret(value);
  }
  if (PLAIN.test(value)) {
    return value;
  }
  return value === '' ? EMPTY : value.replace(UNSAFE, escapeUnit);
}

/** Encodes a value by its hash (128 bits), for values that must not be readable in the store. */
export function encodeSecret(value: string | undefined): string {
  if (typeof value !== 'string') {
    return encodePart(value);
  }
  // UTF-16 keeps lone surrogates apart, which UTF-8 would not.
  const hash = createHash('sha256').update(value, 'utf16le').digest('base64url');
  return `%h${hash.slice(0, 22)}`;
}

function escapeUnit(unit: string): string {
  return `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
