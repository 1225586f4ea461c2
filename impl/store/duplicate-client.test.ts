import { Cluster, Redis } from 'ioredis';
import { describe, expect, it, vi } from 'vitest';
import { StandInClient } from '../stand-in-client.test.fixture.ts';
import { duplicateClient } from './duplicate-client.ts';
import type { RedisClient } from './redis-client.ts';

const safe = {
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  enableAutoPipelining: false,
  commandTimeout: undefined,
  stringNumbers: false,
  disableClientInfo: true,
};

describe('the duplicated client', () => {
  it('neither resends nor queues, whatever the original does', () => {
    const original = new Redis({
      lazyConnect: true,
      port: 1,
      commandTimeout: 5,
      connectTimeout: 9000,
      enableAutoPipelining: true,
      reconnectOnError: () => 2,
    });
    const duplicate: RedisClient = original;
    const spy = vi.spyOn(original, 'duplicate').mockReturnValue(original);
    expect(duplicateClient(duplicate)).toBe(original);
    const [options] = spy.mock.calls[0] ?? [];
    expect(options).toMatchObject({ ...safe, lazyConnect: false, connectTimeout: 2000 });
    expect(options?.reconnectOnError?.(new Error('READONLY'))).toBe(1);
  });

  it('leaves a shorter connect timeout and other answers of reconnectOnError as they are', () => {
    const client = Object.assign(new StandInClient(), {
      options: { connectTimeout: 300, reconnectOnError: () => false },
    });
    duplicateClient(client);
    expect(client.overrides).toMatchObject({ connectTimeout: 300 });
    expect(Reflect.get(client.overrides ?? {}, 'reconnectOnError')()).toBe(false);
  });

  it('asks a Cluster for no second try on another node', () => {
    const original = new Cluster([{ host: '127.0.0.1', port: 1 }], {
      lazyConnect: true,
      redisOptions: { password: 'secret', maxRetriesPerRequest: 3 },
    });
    const spy = vi.spyOn(original, 'duplicate').mockReturnValue(original);
    duplicateClient(original);
    expect(spy.mock.calls[0]).toEqual([
      [],
      expect.objectContaining({
        enableOfflineQueue: false,
        retryDelayOnFailover: 0,
        retryDelayOnClusterDown: 0,
        redisOptions: expect.objectContaining({ ...safe, password: 'secret', socketTimeout: 2000 }),
      }),
    ]);
  });
});
