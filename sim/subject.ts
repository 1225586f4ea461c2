// A subject is a rate limiter under test: ours, or anything that talks to Redis through ioredis.

import type { Outcome } from './run/history.ts';

/** What a limiter is asked. */
export interface SubjectRequest {
  readonly tenant: string;
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly cost: number;
}

export interface SubjectHost {
  check(request: SubjectRequest): Promise<Outcome>;
  close(): Promise<void>;
}

export interface SubjectOptions {
  /** Options for `new Redis(options)`: host and port of the simulated store. */
  readonly redisOptions: { readonly host: string; readonly port: number };
  /** Present on the `direct` transport: a client object to use in place of a new ioredis client. */
  readonly redis?: unknown;
  /** Which ioredis the run wants, for subjects that can choose. */
  readonly client: 5 | 6;
  /** The policy document of the scenario, plain data. */
  readonly policies: unknown;
  readonly deadlineMs: number;
}

/** What a subject promises for one policy; only the named invariants judge it. */
export interface PolicyContract {
  readonly algorithm: string;
  readonly capacity: number;
  /** Tokens per millisecond as a fraction, so that no promise is a rounded one. */
  readonly rate: { readonly tokens: number; readonly periodMs: number };
  readonly promises: readonly string[];
}

export interface Subject {
  readonly name: string;
  readonly sentence?: string;
  /** Per policy id; absent means: everything the production limiter promises. */
  readonly contract?: Readonly<Record<string, PolicyContract>>;
  createHost(options: SubjectOptions): SubjectHost;
}
