// The server's side of a connection. A server is simulated code, so this is a plain object with
// callbacks; its bytes are latin1 strings, one character a byte.

import type { Host } from '../kernel/kernel.ts';
import type { Connection, Endpoint, SegmentKind } from './connection.ts';

export interface ServerConnection {
  readonly peer: Host;
  readonly isClosed: boolean;
  /** Bytes of the client, in the pieces in which they arrive. */
  onData: (chunk: string) => void;
  /** The client will send no more. Default: closes this side too, as Redis does. */
  onEnd: () => void;
  /** The connection was reset; bytes not yet delivered are lost. Not called for own closing. */
  onClose: () => void;
  /** Sends bytes under the kernel's current cause; ignored when closed. */
  write(chunk: string): void;
  /** Closes after what was written; what the client still sends is answered with a reset. */
  end(): void;
  /** Cuts the connection: bytes in flight are lost both ways, the client sees ECONNRESET. */
  reset(): void;
}

export class ServerEnd implements ServerConnection, Endpoint {
  readonly peer: Host;
  isClosed = false;
  onData: (chunk: string) => void = () => {};
  onEnd: () => void = () => this.end();
  onClose: () => void = () => {};
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.peer = connection.client;
  }

  receive(kind: SegmentKind, chunk: string): void {
    if (kind === 'data') this.onData(chunk);
    else if (kind === 'fin') this.onEnd();
    else if (kind === 'rst') this.#cut();
  }

  write(chunk: string): void {
    if (this.isClosed || chunk === '') return;
    const { down, wire } = this.#connection;
    down.send(wire.kernel.cause, 'data', chunk);
  }

  end(): void {
    if (this.isClosed) return;
    this.#close();
    const { down, wire } = this.#connection;
    down.send(wire.kernel.cause, 'fin', '');
  }

  reset(): void {
    if (this.isClosed) return;
    this.#close();
    this.#connection.dropInFlight();
    const { down, wire } = this.#connection;
    down.send(wire.kernel.cause, 'rst', '');
  }

  /** The process is gone: nobody is told on this side. */
  abandon(): void {
    this.#close();
  }

  #cut(): void {
    if (this.isClosed) return;
    this.#close();
    this.onClose();
  }

  #close(): void {
    this.isClosed = true;
    this.#connection.serverEnd = undefined;
    this.#connection.forgetWhenClosed();
  }
}
