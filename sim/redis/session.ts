// What the server knows about one connection (or one direct client): protocol, name, transaction.

import type { Command } from './commands/command.ts';
import type { Keyspace, Watcher } from './keyspace.ts';
import type { Protocol } from './protocol/reply-encoder.ts';

export interface QueuedCommand {
  readonly command: Command;
  readonly args: readonly string[];
}

/** An open MULTI. */
export interface Transaction {
  readonly commands: QueuedCommand[];
  /** A command was refused while queueing, so EXEC will be too. */
  hasError: boolean;
}

export class Session implements Watcher {
  readonly id: number;
  protocol: Protocol = 2;
  name = '';
  database = 0;
  transaction: Transaction | undefined;
  /** A watched key has changed: EXEC answers null. */
  hasConflict = false;
  readonly watched: { readonly keyspace: Keyspace; readonly key: string }[] = [];
  /** The client said goodbye: the connection is closed after this reply. */
  isClosing = false;

  constructor(id: number) {
    this.id = id;
  }

  unwatchAll(): void {
    for (const { keyspace, key } of this.watched) keyspace.unwatch(key, this);
    this.watched.length = 0;
    this.hasConflict = false;
  }

  discard(): void {
    this.transaction = undefined;
    this.unwatchAll();
  }
}
