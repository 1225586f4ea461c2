// A stand-in for a Redis client in unit tests: it records what is sent and answers when told to.

import { EventEmitter } from 'node:events';
import type { RedisClient } from './store/redis-client.ts';

export interface Sent {
  readonly command: 'evalsha' | 'eval';
  readonly args: readonly (string | number)[];
  reply(value: unknown): void;
  fail(error: Error): void;
}

export class StandInClient extends EventEmitter implements RedisClient {
  status: string;
  readonly sent: Sent[] = [];
  readonly disconnects: boolean[] = [];
  overrides: object | undefined;

  constructor(status = 'ready') {
    super();
    this.status = status;
  }

  /** The limiter's connection is this very object, so that a test needs only one. */
  duplicate(overrides?: object): RedisClient {
    this.overrides = overrides;
    return this;
  }

  evalsha(...args: (string | number)[]): Promise<unknown> {
    return this.#send('evalsha', args);
  }

  eval(...args: (string | number)[]): Promise<unknown> {
    return this.#send('eval', args);
  }

  disconnect(reconnect = false): void {
    this.disconnects.push(reconnect);
    if (!reconnect) {
      this.become('end');
    }
  }

  /** Changes the status and tells whoever listens. */
  become(status: string): void {
    this.status = status;
    this.emit(status);
  }

  #send(command: Sent['command'], args: readonly (string | number)[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.sent.push({ command, args, reply: resolve, fail: reject });
    });
  }
}

/** An error reply of the store, as ioredis names it. */
export function createErrorReply(message: string): Error {
  const error = new Error(message);
  error.name = 'ReplyError';
  return error;
}
