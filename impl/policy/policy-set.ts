// A policy document made ready for checks: every limit with its integers, its place in the store's
// key space and its matcher. Immutable; a changed document is another set.

import { createRouteTable, type RouteTable } from '../descriptor/route-table.ts';
import type { Rate } from './rate.ts';
import type { Dimension } from './schema.ts';
import type { TokenBucketParameters } from './token-bucket.ts';

export interface CompiledLimit {
  readonly id: string;
  /** Position in the document, from 0. */
  readonly index: number;
  readonly method: string | undefined;
  readonly route: string | undefined;
  readonly key: readonly Dimension[];
  readonly rate: Rate;
  /** Tokens; 0 blocks all. */
  readonly burst: number;
  /** Absent when the limit blocks all: such a limit is decided without the store. */
  readonly bucket: TokenBucketParameters | undefined;
  /** Hash of what shapes the state, so that incompatible states never share a key. */
  readonly stateVersion: string;
}

/** The limits of one document. Made by `parsePolicies`. */
export class PolicySet {
  readonly revision: number;
  readonly limits: readonly CompiledLimit[];
  readonly #table: RouteTable<CompiledLimit>;

  constructor(revision: number, limits: readonly CompiledLimit[]) {
    this.revision = revision;
    this.limits = limits;
    this.#table = createRouteTable(limits);
  }

  /** The first limit in file order that matches, or `undefined` when none does. */
  find(method: string | undefined, route: string | undefined): CompiledLimit | undefined {
    return this.#table.find(method, route);
  }
}
