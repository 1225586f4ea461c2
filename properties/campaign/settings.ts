// What a campaign runs and how: plain data, the same for each of its seeds, so that it can be handed
// to worker threads unchanged. Which seeds, how many threads and for how long is the campaign's
// business (campaign.ts) and must not be here: it never changes a result.

import type { Request, Scenario } from '../../sim/scenario/scenario.ts';

/** Which limiter is tried. A file is preloaded before the run; a mutant is built from `dist/impl`. */
export type SubjectChoice =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'mutant'; readonly name: string };

/** Everything about a run that is not the scenario. A trace's header holds the same. */
export interface RunSettings {
  readonly subject: SubjectChoice;
  readonly transport: 'wire' | 'direct';
  readonly client: 5 | 6;
  readonly drive: 'sync' | 'turns';
}

/** Where the scenario of a seed comes from: drawn from it, or given and only re-seeded. */
export type ScenarioSource =
  | {
      readonly kind: 'drawn';
      readonly policies?: unknown;
      readonly requests?: readonly Request[] | undefined;
    }
  | { readonly kind: 'given'; readonly scenario: Scenario };

export interface CampaignSettings extends RunSettings {
  readonly source: ScenarioSource;
  /** Whether a keyed share of the seeds is also put to the extra properties (extra.ts). */
  readonly extras: boolean;
}
