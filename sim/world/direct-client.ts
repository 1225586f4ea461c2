// The `direct` transport's stand-in for an ioredis client: the same scripts on the same simulated
// store with the same latencies and the same queue, but no socket, no RESP and no client code. It
// offers exactly what the limiter uses of a client.

import type { Host } from '../kernel/host.ts';
import type { MessageOrder } from '../network/network.ts';
import { ErrorReply, type Reply } from '../redis/reply.ts';
import type { Session } from '../redis/session.ts';

/** One direct connection: a session of the store, and the order of messages either way. */
export interface DirectConnection {
  readonly host: Host;
  readonly session: Session;
  readonly up: MessageOrder;
  readonly down: MessageOrder;
}

/** What the world does with a script: attribute it, carry it to the store and bring the reply back. */
export type SendDirect = (
  connection: DirectConnection,
  args: string[],
  reply: (reply: Reply) => void,
) => void;

type Listener = (...values: unknown[]) => void;

export class DirectClient {
  status = 'ready';
  #connection: DirectConnection;
  readonly #connect: () => DirectConnection;
  readonly #send: SendDirect;
  readonly duplicate: (options?: unknown) => DirectClient;

  constructor(connect: () => DirectConnection, send: SendDirect) {
    this.#connect = connect;
    this.#connection = connect();
    this.#send = send;
    this.duplicate = () => new DirectClient(connect, send);
  }

  on(_event: string, _listener: Listener): this {
    return this;
  }

  off(_event: string, _listener: Listener): this {
    return this;
  }

  evalsha(sha: string, keys: number, ...args: (string | number)[]): Promise<unknown> {
    return this.#call(['evalsha', sha, String(keys), ...args.map(String)]);
  }

  eval(text: string, keys: number, ...args: (string | number)[]): Promise<unknown> {
    return this.#call(['eval', text, String(keys), ...args.map(String)]);
  }

  disconnect(reconnect = false): void {
    if (reconnect) this.#connection = this.#connect();
    else this.status = 'end';
  }

  #call(args: string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#send(this.#connection, args, (reply) => {
        if (reply instanceof ErrorReply) reject(new ReplyError(reply.message));
        else resolve(reply);
      });
    });
  }
}

/** Named as ioredis names what the store itself answered. */
class ReplyError extends Error {
  override readonly name = 'ReplyError';
}
