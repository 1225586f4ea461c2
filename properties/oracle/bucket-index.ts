// The buckets of a run: by the identity the policies give them, and by what a request says. Where
// nothing but tenant and user tells the buckets of a limit apart, these two find the bucket again, and
// its identity, a long text, is made only once.

import { identifyBucket, type LimitReading, type RequestDescriptor } from '../../model/index.ts';
import { type BucketRecord, createBucketRecord } from './records.ts';

/** The buckets of one limit by tenant and user; `undefined` where more is needed to tell them apart. */
type ByClient = Map<string, Map<string, BucketRecord>> | undefined;

export class BucketIndex {
  readonly #byIdentity = new Map<string, BucketRecord>();
  readonly #byLimit = new Map<LimitReading, ByClient>();

  all(): Iterable<BucketRecord> {
    return this.#byIdentity.values();
  }

  /** The bucket this request spends from; a new one counts the losses of the store from now on. */
  find(limit: LimitReading, request: RequestDescriptor, losses: number): BucketRecord {
    const byClient = this.#buckets(limit);
    if (byClient === undefined) return this.#identify(limit, request, losses);
    let byUser = byClient.get(request.tenant);
    if (byUser === undefined) {
      byUser = new Map();
      byClient.set(request.tenant, byUser);
    }
    let bucket = byUser.get(request.user);
    if (bucket === undefined) {
      bucket = this.#identify(limit, request, losses);
      byUser.set(request.user, bucket);
    }
    return bucket;
  }

  #buckets(limit: LimitReading): ByClient {
    const known = this.#byLimit.get(limit);
    if (known !== undefined || this.#byLimit.has(limit)) return known;
    const byClient: ByClient = isToldByClient(limit) ? new Map() : undefined;
    this.#byLimit.set(limit, byClient);
    return byClient;
  }

  /** Two readings of one limit (two revisions of a policy) have their buckets in common. */
  #identify(limit: LimitReading, request: RequestDescriptor, losses: number): BucketRecord {
    const identity = identifyBucket(limit, request);
    let bucket = this.#byIdentity.get(identity);
    if (bucket === undefined) {
      bucket = createBucketRecord(identity, limit.id, losses);
      this.#byIdentity.set(identity, bucket);
    }
    return bucket;
  }
}

/** A method or route that the limit itself names is the same for all its requests. */
function isToldByClient({ dimensions, method, route }: LimitReading): boolean {
  return dimensions.every(
    (name) =>
      (name !== 'method' || method !== undefined) && (name !== 'route' || route !== undefined),
  );
}
