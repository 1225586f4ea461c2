// A stranger's project: everything the package offers is imported with its types, and used a little.

import { Redis } from 'ioredis';
import { createLimiter, type Decision, parsePolicies } from 'weir-limiter';
import * as model from 'weir-limiter/model';
import * as properties from 'weir-limiter/properties';
import * as sim from 'weir-limiter/sim';

const policies = parsePolicies(
  {
    limits: [{ id: 'a', key: ['tenant'], rate: '5/min', protects: 'nothing', tolerance: 'exact' }],
  },
  { file: 'probe' },
);
// Nothing listens there: the check must be denied within its deadline all the same.
const redis = new Redis({ host: '127.0.0.1', port: 1, lazyConnect: true });
const limiter = createLimiter({ redis, policies, deadlineMs: 50 });
const decision: Decision = await limiter.check({ tenant: 't' });
await limiter.close();
redis.disconnect();

const empty = Object.entries({ model, properties, sim }).filter(
  ([, entry]) => Object.keys(entry).length === 0,
);
if (decision.kind !== 'denied' || decision.reason !== 'store-unavailable' || empty.length > 0) {
  throw new Error(
    `Expected a denial without a store and no empty entry, got ${JSON.stringify(decision)}.`,
  );
}
console.log('the package works in a project of its own');
