// What the limiter needs of a Redis client, and no more. The `Redis` and `Cluster` objects of
// ioredis 5 and 6 fit as they are; so does any stand-in with these members.

/** Events listened to. `error` is listened to so that a lost connection never ends the process. */
export type RedisClientEvent = 'connect' | 'ready' | 'close' | 'end' | 'error';

/** Options of the client that are looked at, where it shows them. */
export interface RedisClientOptions {
  readonly connectTimeout?: number | undefined;
  readonly reconnectOnError?: ((error: Error) => boolean | 1 | 2) | null | undefined;
  readonly redisOptions?: object | undefined;
}

/** A Redis client, taken structurally. */
export interface RedisClient {
  /** `ready` means that a command can be sent now. */
  readonly status: string;
  /** True for ioredis' `Cluster`, whose `duplicate` takes the start-up nodes first. */
  readonly isCluster?: boolean;
  readonly options?: RedisClientOptions;
  /**
   * A second connection with these options over the client's own. Called once, with the options; on
   * a Cluster with an empty list and the options.
   */
  duplicate(first?: object, second?: object): RedisClient;
  on(event: RedisClientEvent, listener: () => void): unknown;
  off(event: RedisClientEvent, listener: () => void): unknown;
  evalsha(sha: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Closes the connection; with `true` it is opened again. */
  disconnect(reconnect?: boolean): void;
}
