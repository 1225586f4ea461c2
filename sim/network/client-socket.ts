// The client's side of a connection: what `net.connect` returns in a run. It is a net.Socket without
// a handle, so streams, half-closing and error behaviour are Node's own; what the handle would do is
// done by the simulated connection.
//
// Left out: connecting again with the same socket, `onread`, and back-pressure from the network.

import net from 'node:net';
import type { Cause, Host, Kernel, KernelEvent } from '../kernel/kernel.ts';
import type { Connection, Endpoint, SegmentKind } from './connection.ts';
import { IdleTimer } from './idle-timer.ts';
import {
  createClosedEarlyError,
  createConnectTimeoutError,
  createRefusedError,
  createResetError,
} from './socket-errors.ts';

/** Linux gives up a connection attempt after 127 s (six retries). */
const CONNECT_TIMEOUT_US = 127_000_000;

type WriteCallback = (error?: Error | null) => void;

export interface SocketAddress {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localFamily: 'IPv4';
  readonly remoteFamily: 'IPv4';
}

export class ClientSocket extends net.Socket implements Endpoint {
  override connecting = true;
  override bytesRead = 0;
  override bytesWritten = 0;
  readonly #kernel: Kernel;
  readonly #host: Host;
  readonly #incarnation: number;
  readonly #address: SocketAddress;
  #connection: Connection | undefined;
  #whenConnected: (() => void) | undefined;
  #connectTimer: KernelEvent | undefined;
  #idleTimer: IdleTimer | undefined;
  #hasSentEnd = false;

  constructor(kernel: Kernel, address: SocketAddress, options: { allowHalfOpen: boolean }) {
    super(options);
    this.#kernel = kernel;
    this.#host = kernel.host;
    this.#incarnation = kernel.host.liveIncarnation;
    this.#address = address;
    this.#host.census.sockets += 1;
    const isPending = (): boolean => this.connecting || this.destroyed;
    Object.defineProperty(this, 'pending', { get: isPending, configurable: true });
  }

  /** Begins to connect; without it the socket stays connecting until it is failed. */
  open(connection: Connection): void {
    const { cause } = this.#kernel;
    this.#connection = connection;
    connection.clientEnd = this;
    connection.up.send(cause, 'syn', '');
    this.#connectTimer = this.#kernel.schedule(CONNECT_TIMEOUT_US, this.#host, cause, () => {
      this.#lose();
      const { remoteAddress, remotePort } = this.#address;
      this.destroy(createConnectTimeoutError(remoteAddress, remotePort));
    });
  }

  receive(kind: SegmentKind, chunk: string): void {
    if (kind === 'data') this.#receiveBytes(chunk);
    else if (kind === 'ack') this.#connected();
    else if (kind === 'fin') this.#receiveEnd();
    else if (kind === 'rst') this.fail(createResetError());
    else if (kind === 'refused') this.fail(this.#createRefused());
  }

  /** The connection is gone without a word to the other side. */
  fail(error: Error): void {
    this.#lose();
    this.destroy(error);
  }

  /** The process is gone: nothing is emitted any more. */
  abandon(): void {
    this.#lose();
  }

  override _read(): void {}

  /**
   * What can be sent at once goes past the stream's buffering, which would only count it in and out
   * again and take a tick to do so. Everything that such a write could report has its own way: a
   * callback, a full buffer, an error.
   */
  override write(
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | WriteCallback,
    callback?: WriteCallback,
  ): boolean {
    if (encoding === undefined && callback === undefined && this.#canSend(chunk)) {
      this.#send(toBytes(chunk, 'utf8'));
      return true;
    }
    if (typeof encoding === 'function') return super.write(chunk, encoding);
    return super.write(chunk, encoding, callback);
  }

  #canSend(chunk: string | Uint8Array): chunk is string {
    return (
      typeof chunk === 'string' &&
      chunk.length < this.writableHighWaterMark &&
      !this.connecting &&
      this.writable &&
      this.writableLength === 0 &&
      this.writableCorked === 0
    );
  }

  override _write(
    chunk: unknown,
    encoding: BufferEncoding,
    callback: (error?: Error | null) => void,
  ): void {
    const bytes = toBytes(chunk, encoding);
    if (this.connecting) {
      this.#write(() => this.#send(bytes), callback);
      return;
    }
    this.#send(bytes);
    callback();
  }

  /** Each piece stays a message of its own, as each may be somebody else's. */
  override _writev(
    chunks: { readonly chunk: unknown; readonly encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    const pieces = chunks.map(({ chunk, encoding }) => toBytes(chunk, encoding));
    this.#write(() => {
      for (const piece of pieces) this.#send(piece);
    }, callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    if (this.connecting) {
      this.once('connect', () => this._final(callback));
      return;
    }
    this.#sendEnd();
    // The machine reports in a later event that the end has been sent.
    this.#kernel.schedule(0, this.#host, this.#kernel.cause, callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.connecting = false;
    this.#idleTimer?.stop();
    if (this.#connectTimer !== undefined) this.#kernel.cancel(this.#connectTimer);
    this.#sendEnd();
    this.#lose();
    if (this.#incarnation === this.#host.liveIncarnation) this.#host.census.sockets -= 1;
    callback(error);
    this.#kernel.schedule(0, this.#host, this.#kernel.cause, () => {
      this.emit('close', error !== null);
    });
  }

  override resetAndDestroy(): this {
    const connection = this.#connection;
    if (connection !== undefined) {
      this.#lose();
      connection.dropInFlight();
      connection.up.send(this.#kernel.cause, 'rst', '');
    }
    return this.destroy();
  }

  /** `timeout` is emitted after so many milliseconds without activity; 0 turns it off. */
  override setTimeout(milliseconds: number, callback?: () => void): this {
    Reflect.set(this, 'timeout', milliseconds);
    this.#idleTimer?.stop();
    this.#idleTimer = undefined;
    if (milliseconds > 0) {
      this.#idleTimer = new IdleTimer(this.#host, this.#kernel.cause, milliseconds, () =>
        this.emit('timeout'),
      );
      if (callback !== undefined) this.once('timeout', callback);
    } else if (callback !== undefined) {
      this.removeListener('timeout', callback);
    }
    return this;
  }

  override ref(): this {
    return this;
  }

  override unref(): this {
    return this;
  }

  override address(): net.AddressInfo | Record<string, never> {
    const { localAddress, localPort } = this.#address;
    return this.connecting ? {} : { address: localAddress, family: 'IPv4', port: localPort };
  }

  /** Writes now or when connected; a socket that closes before reports that to the writer. */
  #write(send: () => void, callback: (error?: Error | null) => void): void {
    if (!this.connecting) {
      send();
      callback();
      return;
    }
    const fail = (): void => callback(createClosedEarlyError());
    this.once('close', fail);
    this.#whenConnected = () => {
      this.removeListener('close', fail);
      send();
      callback();
    };
  }

  #connected(): void {
    if (this.#connectTimer !== undefined) this.#kernel.cancel(this.#connectTimer);
    this.#connectTimer = undefined;
    this.connecting = false;
    // Node has getters for these that ask the handle; own properties go before them.
    for (const [name, value] of Object.entries(this.#address)) {
      Object.defineProperty(this, name, { value, configurable: true });
    }
    this.#idleTimer?.touch();
    this.emit('connect');
    this.emit('ready');
    const write = this.#whenConnected;
    this.#whenConnected = undefined;
    if (!this.destroyed) write?.();
  }

  #createRefused(): Error {
    return createRefusedError(this.#address.remoteAddress, this.#address.remotePort);
  }

  #receiveBytes(chunk: string): void {
    this.bytesRead += chunk.length;
    this.#idleTimer?.touch();
    const bytes = Buffer.from(chunk, 'latin1');
    if (this.#isConsumed()) this.emit('data', bytes);
    else this.push(bytes);
  }

  /**
   * Whether a listener takes bytes as they come, as Node's own sockets then give them out. Node does
   * so for listeners added with `on` only, and takes two ticks for one added with `prependListener`
   * (ioredis); nothing else can run before those.
   */
  #isConsumed(): boolean {
    return (
      this.readableDidRead &&
      this.readableFlowing === true &&
      this.readableLength === 0 &&
      this.readableEncoding === null &&
      this.readable &&
      this.listenerCount('data') > 0
    );
  }

  #receiveEnd(): void {
    this.push(null);
    this.read(0);
  }

  #send(bytes: string): void {
    this.#idleTimer?.touch();
    const connection = this.#connection;
    if (connection === undefined || bytes === '') return;
    this.bytesWritten += bytes.length;
    const cause: Cause = connection.wire.causeOfWrite(connection.up.link, bytes);
    connection.up.send(cause, 'data', bytes);
  }

  #sendEnd(): void {
    if (this.#hasSentEnd || this.#connection === undefined) return;
    this.#hasSentEnd = true;
    this.#connection.up.send(this.#kernel.cause, 'fin', '');
  }

  /** Lets go of the connection; what still arrives is answered with a reset. */
  #lose(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    connection.clientEnd = undefined;
    connection.forgetWhenClosed();
  }
}

/** Bytes as a latin1 string. Most strings are ASCII, which is the same in every encoding. */
function toBytes(chunk: unknown, encoding: BufferEncoding): string {
  if (typeof chunk === 'string') {
    // In UTF-8 exactly the ASCII texts have a byte a character.
    const isAscii = encoding === 'utf8' && Buffer.byteLength(chunk, 'utf8') === chunk.length;
    return isAscii || encoding === 'latin1'
      ? chunk
      : Buffer.from(chunk, encoding).toString('latin1');
  }
  if (Buffer.isBuffer(chunk)) return chunk.toString('latin1');
  if (chunk instanceof Uint8Array) return Buffer.from(chunk).toString('latin1');
  throw new Error('Expected a string or bytes.');
}
