// The shape of an invariant. Its sentence is the specification; the predicate below it says the same
// in code. It reads the oracle, which has taken in each event before, and changes nothing.

import type { Handlers } from '../../sim/run/invariant.ts';
import type { Oracle } from '../oracle.ts';

export interface Invariant {
  /** Kebab-case: the name in reports, traces and contracts. */
  readonly name: string;
  /** What always holds, as one sentence. */
  readonly sentence: string;
  /** `world`: about the simulated world itself, so it judges every subject. */
  readonly scope?: 'world';
  /** It compares with the exact model of the limit's algorithm, so there must be one. */
  readonly needsModel?: true;
  readonly create: (context: InvariantContext) => Handlers;
}

export interface InvariantContext {
  readonly oracle: Oracle;
  /** Counts one event by which the invariant could have been broken. */
  evaluated(): void;
  /** Reports that it is broken, in one plain sentence with the figures. */
  violate(message: string, atUs: number): void;
}
