// What happened in a run, as a stream of events in the order in which they happened. Invariants read
// nothing else. An event is plain data; `atUs` is true time in microseconds since the run's start.
//
// An *operation* is one call of `check` on one limiter replica. Its id names it everywhere; a retry
// by the client is another operation of the same request.

import type { Fault, Request, Scenario } from '../scenario/scenario.ts';

/** The answer a subject gave, in the limiter's own terms where it has them. */
export interface Outcome {
  readonly allowed: boolean;
  readonly reason?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly remaining?: number | undefined;
  readonly resetMs?: number | undefined;
  /** `store` when a script's reply decided; anything else was decided without one. */
  readonly source?: string | undefined;
  readonly degraded?: boolean | undefined;
}

export type HistoryEvent =
  | { readonly kind: 'run-started'; readonly atUs: 0; readonly scenario: Scenario }
  /** A client's request reaches its gateway. `attempt` counts from 1. */
  | {
      readonly kind: 'request';
      readonly atUs: number;
      readonly operation: number;
      readonly request: Request;
      readonly attempt: number;
    }
  /** A replica's limiter is asked. `policies` is the document that replica runs under. */
  | {
      readonly kind: 'check-started';
      readonly atUs: number;
      readonly operation: number;
      readonly request: Request;
      readonly host: string;
      readonly incarnation: number;
      readonly policies: unknown;
    }
  /** A replica's client hands a script to the network. `operation` 0: no live check asked for it. */
  | {
      readonly kind: 'script-sent';
      readonly atUs: number;
      readonly operation: number;
      readonly host: string;
      readonly command: string;
    }
  /** The store has run a script; it is the admission instant of a strict decision. */
  | {
      readonly kind: 'script-executed';
      readonly atUs: number;
      readonly operation: number;
      /** The store's clock when the script started, in milliseconds since the Unix epoch. */
      readonly storeMs: number;
      /** It ended with an error; without any key, the store did not know the script (NOSCRIPT). */
      readonly failed: boolean;
      /** What the store answered when it failed, but for NOSCRIPT. */
      readonly error?: string;
      /** Each key the script was given, with its raw bytes (latin1) and expiry before and after. */
      readonly keys: readonly KeyChange[];
    }
  | {
      readonly kind: 'check-settled';
      readonly atUs: number;
      readonly operation: number;
      readonly host: string;
      readonly outcome: Outcome | undefined;
      /** The error's text when `check` rejected instead. */
      readonly error: string | undefined;
    }
  /** The gateway has its answer (or gave up) and tells the client. */
  | {
      readonly kind: 'answered';
      readonly atUs: number;
      readonly operation: number;
      readonly allowed: boolean;
      readonly by: 'replica' | 'gateway-deadline';
    }
  | { readonly kind: 'upstream'; readonly atUs: number; readonly operation: number }
  /** A fault begins or ends. Faults without a duration only begin. */
  | {
      readonly kind: 'fault';
      readonly atUs: number;
      readonly fault: Fault;
      readonly phase: 'begin' | 'end';
    }
  /** A host's process ended or began; checks in flight on it are gone. */
  | {
      readonly kind: 'host';
      readonly atUs: number;
      readonly host: string;
      readonly incarnation: number;
      readonly state: 'up' | 'down';
    }
  /** The store lost every key it held. */
  | { readonly kind: 'store-lost'; readonly atUs: number }
  /** An unhandled exception or rejection ended a host's process, as Node would. */
  | {
      readonly kind: 'host-failure';
      readonly atUs: number;
      readonly host: string;
      readonly error: string;
    }
  /** After the last event: what is left over although every limiter was closed. */
  | {
      readonly kind: 'run-ended';
      readonly atUs: number;
      readonly ending: 'done' | 'stuck' | 'out-of-budget';
      readonly left: readonly Leftover[];
      readonly unsettled: readonly number[];
    };

export interface KeyChange {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Expiry of the key after the script, store milliseconds; undefined: no key or no expiry. */
  readonly expiresAtMs: number | undefined;
}

export interface Leftover {
  readonly host: string;
  readonly what: 'timer' | 'socket';
  readonly count: number;
}

export type HistoryEventOf<K extends HistoryEvent['kind']> = Extract<HistoryEvent, { kind: K }>;
