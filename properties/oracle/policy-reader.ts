// Reads policy documents for the oracle, once each, and remembers where a request belongs: which limit
// decides it and which bucket it spends from. Most paths of a run come again, so limits are looked up.

import {
  createBucketParameters,
  findLimit,
  identifyBucket,
  type LimitReading,
  type PolicyReading,
  type RequestDescriptor,
  readPolicies,
} from '../../model/index.ts';
import type { Subject } from '../../sim/subject.ts';

export interface Placement {
  readonly limit: LimitReading | undefined;
  readonly bucketId: string;
}

const NOWHERE: Placement = { limit: undefined, bucketId: '' };

export class PolicyReader {
  readonly #contract: Subject['contract'];
  readonly #placements = new Map<unknown, Placements>();
  #lastDocument: unknown;
  #last: Placements | undefined;

  /** With a contract, what the subject promises replaces what the document asks for. */
  constructor(contract: Subject['contract']) {
    this.#contract = contract;
  }

  read(document: unknown): Placements {
    if (this.#last !== undefined && document === this.#lastDocument) return this.#last;
    let placements = this.#placements.get(document);
    if (placements === undefined) {
      placements = new Placements(applyContract(readPolicies(document), this.#contract));
      this.#placements.set(document, placements);
    }
    this.#lastDocument = document;
    this.#last = placements;
    return placements;
  }
}

export class Placements {
  readonly revision: number;
  readonly policies: PolicyReading;
  readonly #limitOf = new Map<string, LimitReading | undefined>();

  constructor(policies: PolicyReading) {
    this.policies = policies;
    this.revision = policies.revision;
  }

  place(request: RequestDescriptor): Placement {
    const limit = this.#findLimit(request);
    return limit === undefined ? NOWHERE : { limit, bucketId: identifyBucket(limit, request) };
  }

  #findLimit(request: RequestDescriptor): LimitReading | undefined {
    const name = `${request.method} ${request.path}`;
    const known = this.#limitOf.get(name);
    if (known !== undefined || this.#limitOf.has(name)) return known;
    const limit = findLimit(this.policies, request);
    this.#limitOf.set(name, limit);
    return limit;
  }
}

/** Limits a contract does not name, or names with an algorithm that is not modelled, have no bucket. */
function applyContract(policies: PolicyReading, contract: Subject['contract']): PolicyReading {
  if (contract === undefined) return policies;
  const limits = policies.limits.map((limit): LimitReading => {
    const promised = contract[limit.id];
    if (promised?.algorithm !== 'token-bucket') return { ...limit, parameters: undefined };
    const { capacity, rate } = promised;
    return { ...limit, parameters: createBucketParameters({ ...rate, capacity }) };
  });
  return { ...policies, limits };
}
