// What `check` prints about a campaign: the JSON document of `--json`, and the tables for people.

import type { CampaignResult } from '../properties/campaign/campaign.ts';
import type { Colours } from './colours.ts';
import type { LogInput } from './inputs.ts';
import type { PinnedResult } from './pinned.ts';
import { formatCount, formatTable } from './table.ts';

export interface ReportedViolation {
  readonly invariant: string;
  readonly seed: number;
  /** The trace that replays it, relative to the working directory where it lies below that. */
  readonly trace: string;
  readonly message: string;
}

/** The stable document of `check --json`. */
export interface CampaignDocument {
  readonly subject: string;
  readonly firstSeed: number;
  readonly seeds: number;
  readonly ended: CampaignResult['ended'];
  readonly simulatedSeconds: number;
  readonly decisions: number;
  readonly events: number;
  readonly wallSeconds: number;
  readonly invariants: CampaignResult['tally']['invariants'];
  readonly reached: CampaignResult['tally']['reached'];
  readonly worstOvershoot: CampaignResult['tally']['worstOvershoot'];
  readonly violations: readonly ReportedViolation[];
  /** Required marks that no run reached, where the gate against empty passes applies. */
  readonly missed: readonly string[];
  /** The run itself went wrong: nothing is known about the property. */
  readonly fault: { readonly seed: number; readonly message: string } | null;
  /** Pinned traces that were replayed first, and those whose expectation failed. */
  readonly pinned: Pick<PinnedResult, 'replayed' | 'failed'>;
  /** Lines of the access log, where one was given. */
  readonly log: LogInput['counts'] | null;
  readonly digest: string;
}

/** The tables: evaluations, marks, overshoot; then the sums and the digest. */
export function formatCampaign(document: CampaignDocument, colours: Colours): string {
  const blocks = [
    formatTable(
      [
        { title: 'invariant', align: 'left' },
        { title: 'evaluations', align: 'right' },
      ],
      document.invariants.map(({ name, evaluations }) => [name, formatCount(evaluations)]),
    ),
    formatTable(
      [
        { title: 'reached mark', align: 'left' },
        { title: 'times', align: 'right' },
        { title: '', align: 'left' },
      ],
      document.reached.map(({ name, count, required }) => [
        name,
        formatCount(count),
        markNote(document, name, count, required),
      ]),
    ),
  ];
  if (document.worstOvershoot.length > 0) blocks.push(formatOvershoot(document));
  const text = blocks.map(([head, ...rows]) => [colours.bold(head ?? ''), ...rows].join('\n'));
  return `${text.join('\n\n')}\n\n${formatSums(document)}`;
}

/** A short campaign may not have got to a mark yet; only a long one has missed it. */
function markNote(
  { missed }: CampaignDocument,
  name: string,
  count: number,
  required: boolean,
): string {
  if (missed.includes(name)) return 'MISSED';
  if (!required) return 'not required';
  return count === 0 ? 'not yet' : '';
}

function formatOvershoot(document: CampaignDocument): string[] {
  return formatTable(
    [
      { title: 'policy', align: 'left' },
      { title: 'worst observed/bound', align: 'right' },
    ],
    document.worstOvershoot.map(({ policy, ratio }) => [policy, ratio.toFixed(4)]),
  );
}

function formatSums(document: CampaignDocument): string {
  const { seeds, simulatedSeconds, decisions, events, wallSeconds } = document;
  const last = document.firstSeed + seeds - 1;
  const which =
    seeds === 0
      ? 'no seed'
      : `${formatCount(seeds)} ${seeds === 1 ? 'seed' : 'seeds'} (${document.firstSeed} to ${last})`;
  return [
    `${which}: ${formatCount(decisions)} decisions and ${formatCount(events)} events in ${formatCount(simulatedSeconds)} simulated seconds, ${wallSeconds.toFixed(1)} real ones`,
    `digest ${document.digest}`,
  ].join('\n');
}
