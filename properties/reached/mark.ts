// The shape of a mark: what a campaign should meet, and which scenarios make it likely.

import type { ScenarioFacts } from './scenario-facts.ts';

export interface Mark {
  readonly name: string;
  /** What was met, as one sentence. */
  readonly sentence: string;
  readonly transport?: 'wire';
  readonly requires: (facts: ScenarioFacts) => boolean;
}
