// Reads policy documents for the oracle, once each, and remembers where a request belongs: which limit
// decides it and which bucket it spends from. Most requests of a run are alike, so both are looked up.

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
  readonly #known = new Map<string, Placement>();

  constructor(policies: PolicyReading) {
    this.policies = policies;
    this.revision = policies.revision;
  }

  place(request: RequestDescriptor): Placement {
    const { tenant, user, method, path } = request;
    const name = `${tenant.length},${user.length},${method.length},${tenant}${user}${method}${path}`;
    let placement = this.#known.get(name);
    if (placement === undefined) {
      const limit = findLimit(this.policies, request);
      placement =
        limit === undefined ? NOWHERE : { limit, bucketId: identifyBucket(limit, request) };
      this.#known.set(name, placement);
    }
    return placement;
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
