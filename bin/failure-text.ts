// How a failure is told: the broken invariant, what is left after shrinking, the last events and the
// command that replays it. A pinned trace that does not do what it says is told in the same way.

import { extras } from '../properties/campaign/extra.ts';
import type { Recording } from '../properties/campaign/recording.ts';
import { invariants } from '../properties/invariants/index.ts';
import type { Violation } from '../sim/run/invariant.ts';
import type { Colours } from './colours.ts';
import { formatDrift } from './drift.ts';
import type { KeptFailure } from './failure.ts';
import type { PinnedFailure } from './pinned.ts';
import { describeEvent, describeFault, formatSeconds } from './sentences.ts';

const EVENTS_SHOWN = 12;
const REQUESTS_SHOWN = 12;

/** The failure of a seed as a person reads it. */
export function formatFailure(kept: KeptFailure, colours: Colours): string {
  const { violation, seed, recording, file, shrunk } = kept;
  const how =
    shrunk === undefined
      ? 'as drawn'
      : `made small in ${countOf(shrunk.runs, 'run')}, ${shrunk.seconds.toFixed(1)} s`;
  return [
    ...formatBroken(recording, violation, [['seed', String(seed)]], how, colours),
    '',
    `  trace   ${file}`,
    `  replay  ${colours.bold(replayCommand(file))}`,
  ].join('\n');
}

/** The first of them with its whole story, the others in a line each. */
export function formatPinnedFailures(
  [first, ...others]: readonly PinnedFailure[],
  colours: Colours,
): string {
  if (first === undefined) return '';
  const lines = [formatPinnedHead(first, colours), ...formatPinnedStory(first, colours)];
  lines.push('', `  replay  ${colours.bold(replayCommand(first.file))}`);
  for (const other of others) {
    lines.push('', formatPinnedHead(other, colours), `  replay  ${replayCommand(other.file)}`);
  }
  return lines.join('\n');
}

/** The command that runs a trace again. */
export function replayCommand(file: string): string {
  return `npx weir replay ${quoteArgument(file)}`;
}

function formatPinnedHead({ file, expect, status, violations }: PinnedFailure, colours: Colours) {
  const names = violations.map(({ invariant }) => invariant).join(', ');
  const broken = names === '' ? '' : ` (breaks ${names})`;
  return `${colours.red(colours.bold('PINNED TRACE'))} ${file}: ${status}${broken}, expected: ${expect}`;
}

function formatPinnedStory(failed: PinnedFailure, colours: Colours): string[] {
  const { recording, violations, drift } = failed;
  const [violation] = violations;
  if (violation !== undefined) {
    return formatBroken(recording, violation, [], 'as pinned', colours);
  }
  if (failed.status === 'drifted') return formatDrift(drift).map((line) => `  ${line}`);
  return ['  nothing is broken any more', ...formatEvents(recording, Number.POSITIVE_INFINITY)];
}

function formatBroken(
  recording: Recording,
  violation: Violation,
  firstFacts: readonly (readonly [string, string])[],
  how: string,
  colours: Colours,
): string[] {
  const facts = [
    ...firstFacts,
    ['at', `${formatSeconds(violation.atUs)} simulated seconds`],
    ['message', violation.message],
    ['made of', `${formatSize(recording)} (${how})`],
  ];
  const others = recording.violations.filter(({ invariant }) => invariant !== violation.invariant);
  if (others.length > 0) {
    facts.push(['also', `breaks ${others.map(({ invariant }) => invariant).join(', ')}`]);
  }
  return [
    `${colours.red(colours.bold(`BROKEN ${violation.invariant}`))}: ${sentenceOf(violation.invariant)}`,
    ...facts.map(([name = '', value = '']) => `  ${name.padEnd(9)}${value}`),
    ...formatParts(recording),
    ...formatEvents(recording, violation.atUs),
  ];
}

function formatEvents({ events }: Recording, untilUs: number): string[] {
  const shown = events.filter(({ atUs }) => atUs <= untilUs).slice(-EVENTS_SHOWN);
  return ['  last events', ...shown.map((event) => `  ${describeEvent(event)}`)];
}

function formatSize({ scenario: { workload, faults } }: Recording): string {
  const load =
    workload.kind === 'requests'
      ? countOf(workload.requests.length, 'request')
      : countOf(workload.streams.length, 'stream');
  return `${load} and ${countOf(faults.length, 'fault')}`;
}

/** The requests and faults themselves, where they are few enough to read. */
function formatParts({ scenario }: Recording): string[] {
  const faults = scenario.faults.map((fault) => `    ${fault.atMs} ms  ${describeFault(fault)}`);
  const { workload } = scenario;
  if (workload.kind !== 'requests' || workload.requests.length > REQUESTS_SHOWN) return faults;
  const requests = workload.requests.map(
    ({ atUs, id, method, path, cost }) =>
      `    ${atUs / 1000} ms  request ${id}: ${method} ${path}, cost ${cost}`,
  );
  return [...requests, ...faults];
}

function sentenceOf(invariant: string): string {
  return [...invariants, ...extras].find(({ name }) => name === invariant)?.sentence ?? '';
}

function countOf(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function quoteArgument(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
