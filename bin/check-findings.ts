// What `check` says when it is done: what was found, as text or as the JSON document, and the exit
// code that follows from it.

import type { CampaignResult } from '../properties/campaign/campaign.ts';
import type { SeedFault } from '../properties/campaign/tally.ts';
import type { Subject } from '../sim/subject.ts';
import {
  type CampaignDocument,
  formatCampaign,
  type ReportedViolation,
} from './campaign-report.ts';
import { type Colours, coloursFor } from './colours.ts';
import { formatFailure, type KeptFailure } from './failure.ts';
import { EXIT } from './input-error.ts';
import type { Input } from './options.ts';
import type { PinnedResult } from './pinned.ts';

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
}

/** Prints the findings and sets the process's exit code. */
export function printFindings(findings: Findings): void {
  const document = toDocument(findings);
  const colours = coloursFor(process.stdout);
  if (findings.isJson) {
    process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
  } else {
    process.stdout.write(`${formatFindings(findings, document, colours)}\n`);
  }
  if (findings.fault !== undefined) {
    const { seed, message, stack } = findings.fault;
    // The stack of an error begins with its message; an escape's message holds the stack that matters.
    process.stderr.write(
      `weir: the run of seed ${seed} itself went wrong\n${stack.includes(message) ? stack : message}\n`,
    );
  }
  process.exitCode = exitCodeOf(findings);
}

/** A violation outranks a fault, a fault an empty pass, and all of them an interruption. */
function exitCodeOf({ pinned, result, failure, fault, missed }: Findings): number {
  if (failure !== undefined || pinned.failed.length > 0) return EXIT.propertyFailed;
  if (fault !== undefined || missed.length > 0) return EXIT.harnessFault;
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
    reached: tally.reached,
    worstOvershoot: tally.worstOvershoot,
    violations: failure === undefined ? [] : [toReported(failure)],
    missed,
    fault: fault === undefined ? null : { seed: fault.seed, message: fault.message },
    pinned: { replayed: pinned.replayed, failed: pinned.failed },
    log: input.log ?? null,
    digest: tally.digest,
  };
}

function toReported({ violation, seed, file }: KeptFailure): ReportedViolation {
  return { invariant: violation.invariant, seed, trace: file, message: violation.message };
}

function formatFindings(findings: Findings, document: CampaignDocument, colours: Colours): string {
  const parts = [formatHead(findings), formatCampaign(document, colours)];
  for (const { file, expect, status } of findings.pinned.failed) {
    parts.push(`${colours.red('PINNED TRACE')} ${file}: ${status}, expected that it ${expect}`);
  }
  if (findings.failure !== undefined) parts.push(formatFailure(findings.failure, colours));
  parts.push(formatVerdict(findings, colours));
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
  if (input.log !== undefined) {
    const { lines: all, malformed, unordered } = input.log;
    lines.push(
      `log of ${all} lines: ${malformed} malformed and left out, ${unordered} out of order and sorted`,
    );
  }
  return lines.join('\n');
}

function formatVerdict(
  { result, failure, fault, missed, pinned }: Findings,
  colours: Colours,
): string {
  if (failure !== undefined)
    return colours.red(`seed ${failure.seed} breaks ${failure.violation.invariant}`);
  if (pinned.failed.length > 0)
    return colours.red('pinned traces do not do what they say; no seed was run');
  if (fault !== undefined)
    return colours.red('the harness failed; nothing is known about the properties');
  if (missed.length > 0) {
    return colours.red(
      `no property failed, but the campaign proves too little: it never reached ${missed.join(', ')}`,
    );
  }
  if (result.ended === 'interrupted')
    return colours.yellow('interrupted; every invariant held so far');
  return colours.green('every invariant holds');
}
