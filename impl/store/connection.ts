// The life of the limiter's connection: first ready, lost, silent, closed. ioredis reconnects by
// itself when a connection breaks; what it does not notice is one that hangs (a black hole), neither
// in the handshake nor later, so two watches here do. What it leaves out: what is sent over it.

import { DISCONNECT_TIMEOUT_MS, duplicateClient } from './duplicate-client.ts';
import type { RedisClient, RedisClientEvent } from './redis-client.ts';

/** After a check ran out of time, no reply to anything for this long: the connection hangs. */
const LONGEST_SILENCE_MS = 1000;
/** From the TCP connection to `ready`. */
const LONGEST_HANDSHAKE_MS = 2000;

/** `close` waits this much longer than the client does for the other side's FIN. */
const CLOSE_MARGIN_MS = 50;

type Timer = ReturnType<typeof setTimeout>;

export class StoreConnection {
  readonly client: RedisClient;
  #wasReady: boolean;
  #silence: Timer | undefined;
  #handshake: Timer | undefined;
  #closing: Promise<void> | undefined;
  readonly #listeners: readonly (readonly [RedisClientEvent, () => void])[];

  /** Opens a connection like the given client's. `onReady` runs each time it can be used. */
  constructor(original: RedisClient, onReady: () => void) {
    this.client = duplicateClient(original);
    this.#wasReady = this.client.status === 'ready';
    this.#listeners = [
      ['connect', () => this.#watchHandshake()],
      ['ready', () => this.#becomeReady(onReady)],
      ['close', () => this.#stopWatches()],
      ['end', () => this.#stopWatches()],
    ];
    for (const [event, listener] of this.#listeners) {
      this.client.on(event, listener);
    }
    // Stays on after close: an 'error' nobody listens to would end the process.
    this.client.on('error', ignoreError);
  }

  /** Whether a script can be sent now. */
  isReady(): boolean {
    return this.client.status === 'ready';
  }

  /** Whether it is the first connection that is still being made: worth waiting for. */
  isStarting(): boolean {
    return !this.#wasReady && this.client.status !== 'end';
  }

  /** To be called for each reply: the connection lives. */
  noteReply(): void {
    if (this.#silence !== undefined) {
      clearTimeout(this.#silence);
      this.#silence = undefined;
    }
  }

  /** To be called when a script that was sent got no reply in time: the connection may hang. */
  noteSilence(): void {
    if (this.#silence === undefined && this.#closing === undefined) {
      this.#silence = setTimeout(() => {
        this.#silence = undefined;
        this.#reconnect();
      }, LONGEST_SILENCE_MS);
    }
  }

  /** Closes the connection. Settles in bounded time whatever state it is in; never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#closeOnce();
    return this.#closing;
  }

  #closeOnce(): Promise<void> {
    for (const [event, listener] of this.#listeners) {
      this.client.off(event, listener);
    }
    this.#stopWatches();
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(guard);
        this.client.off('end', finish);
        resolve();
      };
      // A client that was waiting to reconnect never says 'end'.
      const guard = setTimeout(finish, DISCONNECT_TIMEOUT_MS + CLOSE_MARGIN_MS);
      this.client.on('end', finish);
      const wasEnded = this.client.status === 'end';
      this.client.disconnect();
      if (wasEnded) {
        finish();
      }
    });
  }

  #becomeReady(onReady: () => void): void {
    this.#stopWatches();
    this.#wasReady = true;
    onReady();
  }

  #watchHandshake(): void {
    clearTimeout(this.#handshake);
    this.#handshake = setTimeout(() => this.#reconnect(), LONGEST_HANDSHAKE_MS);
  }

  #reconnect(): void {
    // In other states the client is already on its way to a new connection, and a second push
    // would end it for good.
    if (this.client.status === 'ready' || this.client.status === 'connect') {
      this.client.disconnect(true);
    }
  }

  #stopWatches(): void {
    this.noteReply();
    clearTimeout(this.#handshake);
    this.#handshake = undefined;
  }
}

function ignoreError(): void {
  // The state of the connection says all there is to know.
}
