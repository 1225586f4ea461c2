// One client's connection to the simulated Redis: bytes in, requests to the queue, replies out.

import type { ServerConnection } from '../network/network.ts';
import { encodeReply } from './protocol/reply-encoder.ts';
import { ProtocolError, RequestDecoder } from './protocol/request-decoder.ts';
import { ErrorReply, type Reply } from './reply.ts';
import type { RedisServer } from './server.ts';
import type { Session } from './session.ts';

export class ClientConnection {
  readonly #connection: ServerConnection;
  readonly #server: RedisServer;
  readonly #session: Session;
  readonly #decoder = new RequestDecoder();
  readonly #reply = (reply: Reply): void => this.#write(reply);

  constructor(connection: ServerConnection, server: RedisServer) {
    this.#connection = connection;
    this.#server = server;
    this.#session = server.store.createSession();
  }

  start(): void {
    const connection = this.#connection;
    connection.onData = (chunk) => this.#receive(chunk);
    // What arrived before the end is still run and answered: the end waits its turn.
    connection.onEnd = () => this.#enqueue(() => this.#close());
    connection.onClose = () => this.#enqueue(() => this.#close());
  }

  #receive(chunk: string): void {
    const decoder = this.#decoder;
    decoder.push(chunk);
    for (let request = decoder.next(); request !== undefined; request = decoder.next()) {
      if (request instanceof ProtocolError) this.#fail(request);
      else this.#enqueue(request);
    }
  }

  #enqueue(work: readonly string[] | (() => void)): void {
    const { kernel } = this.#server;
    this.#server.enqueue({ session: this.#session, cause: kernel.cause, work, reply: this.#reply });
  }

  #fail(error: ProtocolError): void {
    this.#enqueue(() => {
      this.#session.isClosing = true;
      this.#write(new ErrorReply(error.message));
    });
  }

  #write(reply: Reply): void {
    this.#connection.write(encodeReply(reply, this.#session.protocol));
    if (this.#session.isClosing) this.#close();
  }

  #close(): void {
    this.#connection.end();
    this.#server.store.closeSession(this.#session);
  }
}
