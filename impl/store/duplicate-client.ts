// The limiter's own connection. A debit must not be sent twice, must not be sent late and must not
// wait in a queue, and by default ioredis does all three; so the limiter never shares the caller's
// connection, it duplicates it with options of its own.

import type { RedisClient, RedisClientOptions } from './redis-client.ts';

/** A TCP connection that takes longer is given up, so that a healed network is noticed. */
const LONGEST_CONNECT_MS = 2000;
/** How long a closing socket may wait for the other side before it is destroyed. */
export const DISCONNECT_TIMEOUT_MS = 100;
/** A Cluster node with commands outstanding and nothing received for so long is reconnected. */
const CLUSTER_NODE_SILENCE_MS = 2000;

/** Duplicates the caller's client. The duplicate connects at once. */
export function duplicateClient(client: RedisClient): RedisClient {
  const options = client.options ?? {};
  if (client.isCluster !== true) {
    return client.duplicate(connectionOptions(options));
  }
  const nodeOptions: RedisClientOptions = options.redisOptions ?? {};
  return client.duplicate([], {
    enableOfflineQueue: false,
    enableAutoPipelining: false,
    lazyConnect: false,
    scaleReads: 'master',
    // With a delay above 0 a command whose node failed is sent once more, to another node.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: {
      ...nodeOptions,
      ...connectionOptions(nodeOptions),
      socketTimeout: CLUSTER_NODE_SILENCE_MS,
    },
  });
}

function connectionOptions(options: RedisClientOptions): object {
  return {
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: false,
    lazyConnect: false,
    // Replies must be numbers, and the deadline is ours, with one timer for all checks.
    stringNumbers: false,
    commandTimeout: undefined,
    // ioredis 5 would read its package.json on every connect to introduce itself.
    disableClientInfo: true,
    connectTimeout: Math.min(options.connectTimeout ?? LONGEST_CONNECT_MS, LONGEST_CONNECT_MS),
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    reconnectOnError: withoutResend(options.reconnectOnError),
  };
}

/** ioredis reads 2 as "reconnect and send the command again"; here it becomes "reconnect". */
function withoutResend(
  reconnectOnError: RedisClientOptions['reconnectOnError'],
): RedisClientOptions['reconnectOnError'] {
  if (typeof reconnectOnError !== 'function') {
    return null;
  }
  return (error) => {
    const answer = reconnectOnError(error);
    return answer === 2 ? 1 : answer;
  };
}
