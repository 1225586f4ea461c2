// What `check` says when it is done: what was found, as text or as the JSON document, and the exit
// code that follows from it.

import type { CampaignResult } from '../properties/campaign/campaign.ts';
import type { SeedFault } from '../properties/campaign/tally.ts';
import { marks } from '../properties/reached.ts';
import type { Subject } from '../sim/subject.ts';
import {
  type CampaignDocument,
  formatCampaign,
  type ReportedPinned,
  type ReportedViolation,
} from './campaign-report.ts';
import { type Colours, coloursFor } from './colours.ts';
import type { KeptFailure } from './failure.ts';
import { formatFailure, formatPinnedFailures, replayCommand } from './failure-text.ts';
import { faultMessage, formatFault } from './fault-text.ts';
import { EXIT } from './input-error.ts';
import type { Input } from './options.ts';
import { print } from './output.ts';
import type { PinnedFailure, PinnedResult } from './pinned.ts';
import { findUntested } from './untested.ts';

export interface Findings {
  readonly firstSeed: { readonly seed: number; readonly isDrawn: boolean };
  readonly isJson: boolean;
  readonly input: Input;
  readonly subject: Subject;
  readonly pinned: PinnedResult;
  readonly result: CampaignResult;
  readonly failure: KeptFailure | undefined;
  readonly fault: SeedFault | undefined;
  readonly missed: readonly string[];
  /** Why the campaign proves nothing, if it does not. */
  readonly vacuity: string | undefined;
}

/** Prints the findings and sets the process's exit code. */
export function printFindings(findings: Findings): void {
  const document = toDocument(findings);
  const colours = coloursFor(process.stdout);
  print(
    findings.isJson
      ? JSON.stringify(document, undefined, 2)
      : formatFindings(findings, document, colours),
  );
  const { fault, pinned } = findings;
  if (fault !== undefined) {
    process.stderr.write(formatFault(pinned.fault?.file ?? `seed ${fault.seed}`, fault));
  }
  process.exitCode = exitCodeOf(findings);
}

/** A violation outranks a fault, a fault an empty pass, and all of them an interruption. */
function exitCodeOf({ pinned, result, failure, fault, missed, vacuity }: Findings): number {
  if (failure !== undefined || pinned.failed.length > 0) return EXIT.propertyFailed;
  if (fault !== undefined || missed.length > 0 || vacuity !== undefined) return EXIT.harnessFault;
  return result.ended === 'interrupted' ? EXIT.interrupted : EXIT.holds;
}

function toDocument(findings: Findings): CampaignDocument {
  const { firstSeed, input, subject, pinned, result, failure, fault, missed } = findings;
  const { tally } = result;
  return {
    subject: subject.name,
    firstSeed: firstSeed.seed,
    seeds: tally.seeds,
    ended: result.ended,
    simulatedSeconds: tally.simulatedSeconds,
    decisions: tally.decisions,
    events: tally.events,
    wallSeconds: Math.round(result.wallSeconds * 1000) / 1000,
    invariants: tally.invariants,
    untested: failure === undefined ? findUntested(subject, tally) : [],
    vacuity: findings.vacuity ?? null,
    reached: tally.reached.map((mark) => ({ ...mark, sentence: sentences.get(mark.name) ?? '' })),
    worstOvershoot: tally.worstOvershoot,
    violations: failure === undefined ? [] : [toReported(failure)],
    missed,
    fault: fault === undefined ? null : { seed: fault.seed, message: faultMessage(fault) },
    pinned: {
      replayed: pinned.replayed,
      skipped: pinned.skipped,
      failed: pinned.failed.map(toReportedPinned),
    },
    log: input.log ?? null,
    digest: tally.digest,
  };
}

const sentences = new Map(marks.map(({ name, sentence }) => [name, sentence]));

function toReported({ violation, seed, file }: KeptFailure): ReportedViolation {
  const { invariant, atUs, message } = violation;
  const replay = replayCommand(file);
  return { invariant, seed, atSeconds: atUs / 1e6, message, trace: file, replay };
}

function toReportedPinned(failed: PinnedFailure): ReportedPinned {
  const { file, expect, status, violations, drift } = failed;
  return {
    file,
    expect,
    status,
    violations: violations.map(({ invariant, atUs, message }) => ({
      invariant,
      atSeconds: atUs / 1e6,
      message,
    })),
    changedDecisions: drift.changed.length,
    replay: replayCommand(file),
  };
}

/** What was found comes first; after it the tables hold only what was counted. */
function formatFindings(findings: Findings, document: CampaignDocument, colours: Colours): string {
  const { pinned, failure, fault, result } = findings;
  const parts = [formatHead(findings)];
  if (pinned.failed.length > 0) parts.push(formatPinnedFailures(pinned.failed, colours));
  if (failure !== undefined) parts.push(formatFailure(failure, colours));
  const isShort = failure !== undefined || fault !== undefined;
  // Where no seed came to its end there is nothing to count.
  if (result.tally.seeds > 0) parts.push(formatCampaign(document, { isShort }, colours));
  parts.push(formatVerdict(findings, document, colours));
  return parts.join('\n\n');
}

function formatHead({ subject, input, firstSeed, pinned }: Findings): string {
  const { transport, client, drive } = input.settings;
  const drawn = firstSeed.isDrawn ? ` (drawn: --seed ${firstSeed.seed})` : '';
  const lines = [
    `${subject.name}: ${subject.sentence ?? ''}`.trim(),
    `seeds from ${firstSeed.seed}${drawn}, transport ${transport}, ioredis ${client}, drive ${drive}`,
  ];
  if (pinned.replayed > 0) lines.push(`${pinned.replayed} pinned traces replayed`);
  if (pinned.skipped > 0) {
    lines.push(
      `${pinned.skipped} pinned traces left out: the ioredis they ask for is not installed`,
    );
  }
  if (input.log !== undefined) {
    const { lines: all, malformed, malformedAt, unordered } = input.log;
    const more = malformed > malformedAt.length ? ', …' : '';
    const where = malformed === 0 ? '' : ` (line ${malformedAt.join(', ')}${more})`;
    lines.push(
      `log of ${all} lines: ${malformed} malformed and left out${where}, ${unordered} out of order and sorted`,
    );
  }
  return lines.join('\n');
}

function formatVerdict(
  { result, failure, fault, missed, vacuity, pinned }: Findings,
  { untested }: CampaignDocument,
  colours: Colours,
): string {
  if (failure !== undefined)
    return colours.red(`seed ${failure.seed} breaks ${failure.violation.invariant}`);
  if (pinned.failed.length > 0)
    return colours.red('pinned traces do not do what they say; no seed was run');
  if (fault !== undefined)
    return colours.red('the harness failed; nothing is known about the properties');
  if (vacuity !== undefined) return colours.red(`the campaign proves nothing: ${vacuity}`);
  if (missed.length > 0) {
    return colours.red(
      `no property failed, but the campaign proves too little: it never reached ${missed.join(', ')}`,
    );
  }
  if (result.ended === 'interrupted')
    return colours.yellow('interrupted; no invariant is broken so far');
  if (untested.length > 0) {
    return colours.yellow(
      `no invariant is broken, but ${untested.length} ${untested.length === 1 ? 'was' : 'were'} never put to the test: ${untested.join(', ')}`,
    );
  }
  return colours.green('every invariant holds');
}
