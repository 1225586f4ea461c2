// Reads policy documents for the oracle, once each, and remembers which limit decides a request. Most
// paths of a run come again, so limits are looked up; by method and path one after the other, since
// joining them to one text would cost more than everything else here.

import {
  createBucketParameters,
  findLimit,
  type LimitReading,
  type PolicyReading,
  type RequestDescriptor,
  readPolicies,
} from '../../model/index.ts';
import type { Subject } from '../../sim/subject.ts';

export class PolicyReader {
  readonly #contract: Subject['contract'];
  readonly #matchers = new Map<unknown, LimitMatcher>();
  #lastDocument: unknown;
  #last: LimitMatcher | undefined;

  /** With a contract, what the subject promises replaces what the document asks for. */
  constructor(contract: Subject['contract']) {
    this.#contract = contract;
  }

  read(document: unknown): LimitMatcher {
    if (this.#last !== undefined && document === this.#lastDocument) return this.#last;
    let matcher = this.#matchers.get(document);
    if (matcher === undefined) {
      matcher = new LimitMatcher(applyContract(readPolicies(document), this.#contract));
      this.#matchers.set(document, matcher);
    }
    this.#lastDocument = document;
    this.#last = matcher;
    return matcher;
  }
}

export class LimitMatcher {
  readonly revision: number;
  readonly policies: PolicyReading;
  /** By method, then by path; a path without a limit is remembered too. */
  readonly #limits = new Map<string, Map<string, LimitReading | undefined>>();

  constructor(policies: PolicyReading) {
    this.policies = policies;
    this.revision = policies.revision;
  }

  /** The limit that decides this request, if there is one. */
  match(request: RequestDescriptor): LimitReading | undefined {
    let byPath = this.#limits.get(request.method);
    if (byPath === undefined) {
      byPath = new Map();
      this.#limits.set(request.method, byPath);
    }
    const known = byPath.get(request.path);
    if (known !== undefined || byPath.has(request.path)) return known;
    const limit = findLimit(this.policies, request);
    byPath.set(request.path, limit);
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
