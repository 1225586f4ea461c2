// What `check` prints about a campaign: the JSON document of `--json`, and the tables for people.

import type { CampaignResult } from '../properties/campaign/campaign.ts';
import type { Colours } from './colours.ts';
import type { LogInput } from './inputs.ts';
import type { PinnedResult } from './pinned.ts';
import { formatCount, formatTable } from './table.ts';

export interface ReportedViolation {
  readonly invariant: string;
  readonly seed: number;
  /** Simulated seconds since the run's start. */
  readonly atSeconds: number;
  readonly message: string;
  /** The trace that replays it, relative to the working directory where it lies below that. */
  readonly trace: string;
  /** The command that replays it. */
  readonly replay: string;
}

/** A pinned trace that did not do what it says. */
export interface ReportedPinned {
  readonly file: string;
  readonly expect: string;
  readonly status: string;
  readonly violations: readonly Pick<ReportedViolation, 'invariant' | 'atSeconds' | 'message'>[];
  /** Decisions that are others than in the trace. */
  readonly changedDecisions: number;
  readonly replay: string;
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
  /** Promised invariants that were never put to the test. */
  readonly untested: readonly string[];
  /** Why the campaign proves nothing, if it does not. */
  readonly vacuity: string | null;
  readonly reached: readonly (CampaignResult['tally']['reached'][number] & {
    readonly sentence: string;
  })[];
  readonly worstOvershoot: CampaignResult['tally']['worstOvershoot'];
  readonly violations: readonly ReportedViolation[];
  /** Required marks that no run reached, where the gate against empty passes applies. */
  readonly missed: readonly string[];
  /** The run itself went wrong: nothing is known about the property. */
  readonly fault: { readonly seed: number; readonly message: string } | null;
  /** Pinned traces that were replayed first, and those whose expectation failed. */
  readonly pinned: Pick<PinnedResult, 'replayed' | 'skipped'> & {
    readonly failed: readonly ReportedPinned[];
  };
  /** Lines of the access log, where one was given. */
  readonly log: LogInput['counts'] | null;
  readonly digest: string;
}

/**
 * The tables: evaluations, marks, overshoot; then the sums and the digest.
 *
 * @param options.isShort leaves out what was never counted; after a failure it says nothing
 */
export function formatCampaign(
  document: CampaignDocument,
  options: { readonly isShort: boolean },
  colours: Colours,
): string {
  const isShown = (count: number) => count > 0 || !options.isShort;
  const blocks = [
    formatTable(
      [
        { title: 'invariant', align: 'left' },
        { title: 'evaluations', align: 'right' },
      ],
      document.invariants
        .filter(({ evaluations }) => isShown(evaluations))
        .map(({ name, evaluations }) => [name, formatCount(evaluations)]),
    ),
    formatTable(
      [
        { title: 'reached mark', align: 'left' },
        { title: 'count', align: 'right' },
        { title: '', align: 'left' },
      ],
      document.reached
        .filter(({ count }) => isShown(count))
        .map((mark) => [mark.name, formatCount(mark.count), markNote(document, mark, options)]),
    ),
    formatOvershoot(document),
  ];
  const tables = blocks
    .filter(({ length }) => length > 1)
    .map(([head, ...rows]) => [colours.bold(head ?? ''), ...rows].join('\n'));
  const legend = options.isShort ? [] : formatLegend(document);
  const [evaluations = '', marks, ...others] = tables;
  const withLegend = marks === undefined ? [] : [[marks, ...legend].join('\n')];
  return [evaluations, ...withLegend, ...others, formatSums(document)].join('\n\n');
}

type Mark = CampaignDocument['reached'][number];

/** A short campaign may not have got to a mark yet; only a long one has missed it. */
function markNote(
  { missed }: CampaignDocument,
  { name, count, required }: Mark,
  options: { readonly isShort: boolean },
): string {
  if (options.isShort) return '';
  if (missed.includes(name)) return 'MISSED';
  if (!required) return 'not required';
  return count === 0 ? 'not yet' : '';
}

/** The notes beside the marks in plain words, as far as they occur. */
function formatLegend(document: CampaignDocument): string[] {
  const notes = document.reached.map((mark) => markNote(document, mark, { isShort: false }));
  const meanings = [
    ['not required', 'no scenario of this campaign makes it likely'],
    ['not yet', 'some scenario makes it likely, and so few runs have not met it'],
    ['MISSED', 'some scenario makes it likely, and no run met it: the campaign proves too little'],
  ];
  return meanings
    .filter(([note = '']) => notes.includes(note))
    .map(([note, meaning]) => `(${note}: ${meaning})`);
}

function formatOvershoot(document: CampaignDocument): string[] {
  return formatTable(
    [
      { title: 'policy', align: 'left' },
      { title: 'worst overshoot', align: 'right' },
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
