// `weir replay`: runs the scenario of a trace, or of a seed, again: twice, to see that it is the same
// run both times, and compares it with what the trace expects.

import { Command, Option } from 'commander';
import { createThreadPool, type ThreadPool } from '../properties/campaign/pool.ts';
import type { Recording } from '../properties/campaign/recording.ts';
import { createRig, scenarioOf } from '../properties/campaign/seed-runner.ts';
import type { CampaignSettings } from '../properties/campaign/settings.ts';
import type { SeedFault } from '../properties/campaign/tally.ts';
import type { Violation } from '../sim/run/invariant.ts';
import type { Trace } from '../sim/run/trace.ts';
import { type Colours, coloursFor } from './colours.ts';
import { findDrift, formatDrift } from './drift.ts';
import { formatFault } from './fault-text.ts';
import { EXIT, InputError } from './input-error.ts';
import { parseSeed } from './option-parsers.ts';
import { addRunOptions, type RunOptions, readInput } from './options.ts';
import { print } from './output.ts';
import { exitCodeOf, expectedInvariant, type ReplayStatus, statusOf } from './replay-status.ts';
import { describeEvent, formatSeconds } from './sentences.ts';
import { readRunnableTrace, runSettingsOf, writeRecording } from './trace-files.ts';

interface ReplayOptions extends RunOptions {
  readonly seed?: { readonly seed: number };
  readonly verbose?: boolean;
  readonly accept?: boolean;
  readonly json?: boolean;
}

const example = `
Example: weir replay .weir/failures/no-ttl/key-has-ttl/3.jsonl --verbose
A trace brings its subject, transport, client and drive along; those options are for --seed.`;

export function createReplayCommand(): Command {
  const command = new Command('replay')
    .description('Runs the scenario of a trace, or of a seed, again.')
    .argument('[trace]', 'a trace file')
    .addOption(
      new Option('--seed <s>', 'the scenario that check draws for this seed').argParser(parseSeed),
    );
  return addRunOptions(command)
    .option('--verbose', 'tell the whole run in plain sentences')
    .option('--accept', 'record the trace again as it runs now')
    .option('--json', 'print one JSON document')
    .addHelpText('after', example)
    .action(replay);
}

/** What is replayed: a trace's scenario or a seed's, and what it should give. */
interface Target {
  readonly settings: CampaignSettings;
  readonly trace: Trace | undefined;
  readonly invariant: string | undefined;
  readonly scenario: Recording['scenario'];
}

async function replay(file: string | undefined, options: ReplayOptions): Promise<void> {
  const target = chooseTarget(file, options);
  await createRig(target.settings);
  const pool = createThreadPool(target.settings, 1);
  try {
    const runs = await runTwice(pool, target);
    if ('kind' in runs) printFault(file, runs);
    else finish(file, target, runs, options);
  } finally {
    await pool.close();
  }
}

function chooseTarget(file: string | undefined, options: ReplayOptions): Target {
  if ((file === undefined) === (options.seed === undefined)) {
    const value = file === undefined ? undefined : `${file} and --seed`;
    throw new InputError({
      file: 'weir replay',
      path: 'TRACE',
      value,
      expected: 'a trace file or --seed',
    });
  }
  if (file === undefined) {
    const { settings } = readInput(options);
    const scenario = scenarioOf(settings.source, options.seed?.seed ?? 1);
    return { settings, trace: undefined, invariant: undefined, scenario };
  }
  const trace = readRunnableTrace(file);
  const { scenario } = trace.header;
  const run = runSettingsOf(trace.header);
  const settings: CampaignSettings = { ...run, source: { kind: 'given', scenario }, extras: false };
  return { settings, trace, invariant: expectedInvariant(trace), scenario };
}

async function runTwice(
  pool: ThreadPool,
  { settings, scenario, invariant }: Target,
): Promise<readonly [Recording, Recording] | SeedFault> {
  const { subject, transport, client, drive } = settings;
  const task = { run: { subject, transport, client, drive }, scenario, invariant };
  const first = await pool.record(task);
  if (first.kind === 'fault') return first;
  const second = await pool.record(task);
  return second.kind === 'fault' ? second : [first, second];
}

function finish(
  file: string | undefined,
  target: Target,
  [first, second]: readonly [Recording, Recording],
  options: ReplayOptions,
): void {
  const status =
    target.trace === undefined ? seedStatus(first, second) : statusOf(target.trace, first, second);
  process.exitCode = exitCodeOf(status);
  if (options.verbose === true && options.json !== true) {
    print(`${first.events.map(describeEvent).join('\n')}\n`);
  }
  print(
    options.json === true
      ? JSON.stringify(toDocument(file, target, status, first), undefined, 2)
      : formatReplay(target, status, first, coloursFor(process.stdout)),
  );
  if (options.accept === true) accept(file, target, status, first);
}

/** A seed expects nothing but to hold. */
function seedStatus(first: Recording, second: Recording): ReplayStatus {
  if (first.digests.history !== second.digests.history) return 'not deterministic';
  return first.violations.length > 0 ? 'still fails' : 'passes';
}

function toDocument(
  file: string | undefined,
  target: Target,
  status: ReplayStatus,
  run: Recording,
) {
  return {
    trace: file ?? null,
    seed: run.scenario.seed,
    status,
    expect: target.trace?.header.expect ?? null,
    violations: run.violations.map(({ invariant, atUs, message }) => ({
      invariant,
      atSeconds: atUs / 1e6,
      message,
    })),
    digests: run.digests,
  };
}

function formatReplay(
  target: Target,
  status: ReplayStatus,
  run: Recording,
  colours: Colours,
): string {
  const lines = run.violations.map(
    ({ invariant, atUs, message }: Violation) =>
      `${colours.bold(invariant)} at ${formatSeconds(atUs)} s: ${message}`,
  );
  const colour = exitCodeOf(status) === EXIT.holds ? colours.green : colours.red;
  const { trace } = target;
  const expected = trace === undefined ? '' : ` (expected: ${trace.header.expect})`;
  lines.push(`${colour(status)}${expected}`, `verdict digest ${run.digests.verdict}`);
  if (status === 'drifted' && trace !== undefined) {
    lines.push(`in the trace   ${trace.digests?.verdict}`);
    lines.push(...formatDrift(findDrift(trace.events, run.events)));
  }
  return lines.join('\n');
}

/** Writes the trace again as it runs now, and then expects that. */
function accept(
  file: string | undefined,
  target: Target,
  status: ReplayStatus,
  run: Recording,
): void {
  if (file === undefined || status === 'not deterministic') {
    throw new InputError({
      file: '--accept',
      path: 'TRACE',
      value: file,
      expected: 'a trace file whose run is deterministic',
    });
  }
  const [broken] = run.violations;
  const expected = run.violations.find(({ invariant }) => invariant === target.invariant) ?? broken;
  const expect = expected === undefined ? 'passes' : `fails ${expected.invariant}`;
  writeRecording(file, target.settings, run, expect);
  process.stderr.write(`weir: recorded again: ${file} now expects that it ${expect}\n`);
  process.exitCode = EXIT.holds;
}

function printFault(file: string | undefined, fault: SeedFault): void {
  process.stderr.write(formatFault(file ?? `seed ${fault.seed}`, fault));
  process.exitCode = EXIT.harnessFault;
}
