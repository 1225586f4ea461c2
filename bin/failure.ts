// What becomes of a failing seed: kept as a trace at once, made small for as long as is allowed, kept
// again, and told in a few lines that end with the command that replays it.

import { extras } from '../properties/campaign/extra.ts';
import type { ThreadPool } from '../properties/campaign/pool.ts';
import type { Recording } from '../properties/campaign/recording.ts';
import { scenarioOf } from '../properties/campaign/seed-runner.ts';
import type { CampaignSettings } from '../properties/campaign/settings.ts';
import type { Shrunk } from '../properties/campaign/shrinking.ts';
import type { SeedFault, SeedRan } from '../properties/campaign/tally.ts';
import { invariants } from '../properties/invariants/index.ts';
import type { Violation } from '../sim/run/invariant.ts';
import type { Colours } from './colours.ts';
import { describeEvent, describeFault, formatSeconds } from './sentences.ts';
import { failureFile, writeRecording } from './trace-files.ts';

/** A failure that is kept in a file. */
export interface KeptFailure {
  readonly kind: 'kept';
  readonly seed: number;
  readonly violation: Violation;
  readonly file: string;
  readonly recording: Recording;
  /** How it was made small; undefined: it is as the seed gave it. */
  readonly shrunk: Pick<Shrunk, 'runs' | 'seconds'> | undefined;
}

const EVENTS_SHOWN = 12;
const REQUESTS_SHOWN = 12;

/**
 * Keeps a failing seed. Interrupted or out of time, the smallest trace found so far is kept. Gives
 * the fault instead when the failing run cannot be made again.
 */
export async function keepFailure(
  pool: ThreadPool,
  settings: CampaignSettings,
  failure: SeedRan,
  shrinkSeconds: number,
  signal: AbortSignal,
): Promise<KeptFailure | SeedFault> {
  const { seed } = failure;
  const [violation] = failure.violations;
  if (violation === undefined) throw new Error(`Expected seed ${seed} to have a violation.`);
  const { invariant } = violation;
  const scenario = scenarioOf(settings.source, seed);
  const recording = await pool.record({ run: settings, scenario, invariant });
  if (recording.kind === 'fault') return recording;
  const file = failureFile(settings.subject, invariant, seed);
  const kept = keep(seed, invariant, file, settings, recording, undefined);
  if (shrinkSeconds === 0 || signal.aborted) return kept;
  const task = { seed, invariant, milliseconds: shrinkSeconds * 1000 };
  const shrunk = await Promise.race([pool.shrink(task), aborted(signal)]);
  if (shrunk === undefined || shrunk.kind === 'fault') return kept;
  return keep(seed, invariant, file, settings, shrunk.recording, shrunk);
}

function keep(
  seed: number,
  invariant: string,
  file: string,
  settings: CampaignSettings,
  recording: Recording,
  shrunk: Shrunk | undefined,
): KeptFailure {
  const violation = recording.violations.find((found) => found.invariant === invariant);
  if (violation === undefined) {
    throw new Error(`Expected the run of seed ${seed}, made again, to break ${invariant} again.`);
  }
  writeRecording(file, settings, recording, `fails ${invariant}`);
  return { kind: 'kept', seed, violation, file, recording, shrunk };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** The failure as a person reads it. */
export function formatFailure(kept: KeptFailure, colours: Colours): string {
  const { violation, seed, recording, file } = kept;
  const until = recording.events.filter(({ atUs }) => atUs <= violation.atUs);
  const facts = [
    ['seed', String(seed)],
    ['at', `${formatSeconds(violation.atUs)} simulated seconds`],
    ['found', violation.message],
    ['made of', formatSize(kept)],
  ];
  const others = recording.violations.filter(({ invariant }) => invariant !== violation.invariant);
  if (others.length > 0) {
    facts.push(['also', `breaks ${others.map(({ invariant }) => invariant).join(', ')}`]);
  }
  const rows = facts.map(([name = '', value = '']) => `  ${name.padEnd(8)}${value}`);
  return [
    `${colours.red(colours.bold(`BROKEN ${violation.invariant}`))}: ${sentenceOf(violation.invariant)}`,
    ...rows,
    ...formatParts(recording),
    '  last events',
    ...until.slice(-EVENTS_SHOWN).map((event) => `  ${describeEvent(event)}`),
    '',
    `  trace   ${file}`,
    `  replay  ${colours.bold(`npx weir replay ${quoteArgument(file)}`)}`,
  ].join('\n');
}

function formatSize({ recording, shrunk }: KeptFailure): string {
  const { workload, faults } = recording.scenario;
  const load =
    workload.kind === 'requests'
      ? countOf(workload.requests.length, 'request')
      : countOf(workload.streams.length, 'stream');
  const how =
    shrunk === undefined
      ? 'as drawn'
      : `made small in ${countOf(shrunk.runs, 'run')}, ${shrunk.seconds.toFixed(1)} s`;
  return `${load} and ${countOf(faults.length, 'fault')} (${how})`;
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
