// Reads requests from a byte stream cut into pieces anywhere: arrays of bulk strings, or inline
// commands. It keeps its place in an unfinished request, so no byte is looked at twice.
//
// Limits and error texts are those of Redis 7.0 (networking.c). Left out: the smaller limits for
// clients that have not authenticated, since there is no authentication.

import { parseInteger } from '../values/integers.ts';
import { splitInline } from './inline-arguments.ts';

/** The stream cannot be understood: the server says so and closes the connection. */
export class ProtocolError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Bytes of a length line or an inline command. */
const lineBytesMax = 64 * 1024;
const argumentsMax = 0x7fff_ffff;
/** Bytes of one argument (`proto-max-bulk-len`). */
const bulkBytesMax = 512 * 1024 * 1024;

export class RequestDecoder {
  #buffer = '';
  #position = 0;
  /** Arguments still to come of the request being read; 0 between requests. */
  #missing = 0;
  #bulkBytes = -1;
  #arguments: string[] = [];
  #failed = false;

  push(chunk: string): void {
    this.#buffer =
      this.#position === this.#buffer.length ? chunk : this.#buffer.slice(this.#position) + chunk;
    this.#position = 0;
  }

  /** The next whole request; undefined: more bytes are needed. After an error it stays silent. */
  next(): string[] | ProtocolError | undefined {
    while (!this.#failed && this.#position < this.#buffer.length) {
      const isArray = this.#missing > 0 || this.#buffer.charCodeAt(this.#position) === asterisk;
      const request = isArray ? this.#readArray() : this.#readInline();
      if (request instanceof ProtocolError) this.#failed = true;
      // An empty array or an empty line asks nothing.
      if (request === undefined || request instanceof ProtocolError || request.length > 0) {
        return request;
      }
    }
    return undefined;
  }

  #readArray(): string[] | ProtocolError | undefined {
    if (this.#missing === 0) {
      const count = this.#readLength('mbulk count string');
      if (count === undefined || count instanceof ProtocolError) return count;
      if (Number.isNaN(count) || count > argumentsMax) return fail('invalid multibulk length');
      if (count <= 0) return [];
      this.#missing = count;
      this.#arguments = [];
    }
    while (this.#missing > 0) {
      const failure = this.#readArgument();
      if (failure !== true) return failure;
    }
    return this.#arguments;
  }

  /** True: one more argument was read. */
  #readArgument(): true | ProtocolError | undefined {
    if (this.#bulkBytes === -1) {
      if (this.#position >= this.#buffer.length) return undefined;
      if (this.#buffer.charCodeAt(this.#position) !== dollar) {
        return this.#failAtSign();
      }
      const bytes = this.#readLength('bulk count string');
      if (bytes === undefined || bytes instanceof ProtocolError) return bytes;
      if (Number.isNaN(bytes) || bytes < 0 || bytes > bulkBytesMax) {
        return fail('invalid bulk length');
      }
      this.#bulkBytes = bytes;
    }
    const end = this.#position + this.#bulkBytes;
    if (end + 2 > this.#buffer.length) return undefined;
    this.#arguments.push(this.#buffer.slice(this.#position, end));
    this.#position = end + 2;
    this.#bulkBytes = -1;
    this.#missing -= 1;
    return true;
  }

  /** A sign and digits up to the line's end, after it. NaN: not an integer as Redis reads one. */
  #readLength(what: string): number | ProtocolError | undefined {
    const buffer = this.#buffer;
    let index = this.#position + 1;
    let value = 0;
    // The common case first: a few digits and a line break, all here.
    let code = buffer.charCodeAt(index);
    if (code > zero && code <= nine) {
      do {
        value = value * 10 + (code - zero);
        index += 1;
        code = buffer.charCodeAt(index);
      } while (code >= zero && code <= nine && value < argumentsMax);
      if (code === carriageReturn && index + 1 < buffer.length) {
        this.#position = index + 2;
        return value;
      }
    }
    const end = buffer.indexOf('\r', this.#position);
    if (end === -1) {
      return buffer.length - this.#position > lineBytesMax ? fail(`too big ${what}`) : undefined;
    }
    if (end + 1 >= buffer.length) return undefined;
    const parsed = parseInteger(buffer.slice(this.#position + 1, end));
    this.#position = end + 2;
    return parsed === undefined ? Number.NaN : Number(parsed);
  }

  #failAtSign(): ProtocolError | undefined {
    const end = this.#buffer.indexOf('\r', this.#position);
    if (end === -1) {
      const isTooLong = this.#buffer.length - this.#position > lineBytesMax;
      return isTooLong ? fail('too big bulk count string') : undefined;
    }
    if (end + 1 >= this.#buffer.length) return undefined;
    return fail(`expected '$', got '${this.#buffer.charAt(this.#position)}'`);
  }

  #readInline(): string[] | ProtocolError | undefined {
    const end = this.#buffer.indexOf('\n', this.#position);
    if (end === -1) {
      const isTooLong = this.#buffer.length - this.#position > lineBytesMax;
      return isTooLong ? fail('too big inline request') : undefined;
    }
    const isCarriage = end > this.#position && this.#buffer.charCodeAt(end - 1) === carriageReturn;
    const line = this.#buffer.slice(this.#position, isCarriage ? end - 1 : end);
    this.#position = end + 1;
    return splitInline(line) ?? fail('unbalanced quotes in request');
  }
}

const asterisk = 0x2a;
const dollar = 0x24;
const zero = 0x30;
const nine = 0x39;
const carriageReturn = 0x0d;

function fail(what: string): ProtocolError {
  return new ProtocolError(`ERR Protocol error: ${what}`);
}
