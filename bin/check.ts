// `weir check`: a campaign over seeds. First the pinned traces of the subject, then a run for each
// seed; the first failing seed is made small, kept as a trace and printed.

import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import { type CampaignResult, runCampaign } from '../properties/campaign/campaign.ts';
import { extras } from '../properties/campaign/extra.ts';
import { createThreadPool, type ThreadPool } from '../properties/campaign/pool.ts';
import { createRig } from '../properties/campaign/seed-runner.ts';
import type { CampaignSettings } from '../properties/campaign/settings.ts';
import { missedMarks } from '../properties/campaign/tally.ts';
import { invariants } from '../properties/invariants/index.ts';
import { marks } from '../properties/reached.ts';
import type { Subject } from '../sim/subject.ts';
import { printFindings } from './check-findings.ts';
import { keepFailure } from './failure.ts';
import { printNames } from './names.ts';
import { parseInteger, parseMinutes, parseSeed } from './option-parsers.ts';
import { addRunOptions, type Input, type RunOptions, readInput } from './options.ts';
import { replayPinned } from './pinned.ts';
import { createProgressBar } from './progress.ts';
import { findVacuity, SEEDS_FOR_GATES } from './untested.ts';

interface CheckOptions extends RunOptions {
  readonly seeds?: number;
  readonly minutes?: number;
  readonly seed: { readonly seed: number; readonly isDrawn: boolean };
  readonly jobs: number;
  readonly shrink: number;
  readonly json?: boolean;
}

const DEFAULT_SEEDS = 200;

const example = `
Example: weir check --policy limits.yaml --log access.log --seeds 500
Replays of failures are in .weir/failures/; see weir replay --help.`;

export function createCheckCommand(): Command {
  return addRunOptions(new Command('check'))
    .description('Runs a limiter under many drawn scenarios and checks every invariant.')
    .option('--seeds <n>', `how many seeds (default: ${DEFAULT_SEEDS})`, parseInteger(1, 1e9))
    .addOption(
      new Option('--minutes <m>', 'run seeds for so long')
        .argParser(parseMinutes)
        .conflicts('seeds'),
    )
    .addOption(
      new Option('--seed <s|random>', 'the first seed')
        .argParser(parseSeed)
        .default({ seed: 1, isDrawn: false }, '1'),
    )
    .option(
      '--jobs <j>',
      'seeds at a time; never changes a result',
      parseInteger(1, 256),
      availableParallelism(),
    )
    .option(
      '--shrink <seconds>',
      'at most so long to make a failure small',
      parseInteger(0, 3600),
      30,
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', example)
    .action(check);
}

async function check(options: CheckOptions): Promise<void> {
  if (printNames(options)) return;
  const input = readInput(options);
  // Loaded here as well as in the threads, so that a bad subject is told before anything starts.
  const { subject } = await createRig(input.settings);
  const interrupt = catchInterrupt();
  const pool = createThreadPool(input.settings, options.jobs, { interrupt: interrupt.signal });
  try {
    await checkIn(pool, subject, input, { ...options, interrupt });
  } finally {
    await pool.close();
  }
}

async function checkIn(
  pool: ThreadPool,
  subject: Subject,
  input: Input,
  options: CheckOptions & { readonly interrupt: Interrupt },
): Promise<void> {
  const { settings } = input;
  const { interrupt } = options;
  const pinned = await replayPinned(pool, settings.subject);
  const mayGoOn = pinned.failed.length === 0 && pinned.fault === undefined;
  const seeds = options.seeds ?? (options.minutes === undefined ? DEFAULT_SEEDS : undefined);
  const result = await runSeeds(pool, mayGoOn ? seeds : 0, options, interrupt.signal);
  const kept =
    result.failure === undefined
      ? undefined
      : await keepFailure(
          pool,
          { settings, subject },
          result.failure,
          options.shrink,
          interrupt.signal,
        );
  interrupt.release();
  const failure = kept?.kind === 'fault' ? undefined : kept;
  const fault = pinned.fault ?? result.fault ?? (kept?.kind === 'fault' ? kept : undefined);
  const vacuity = mayGoOn ? findVacuity(subject, result) : undefined;
  const missed = isGated(subject, settings, result) ? missedMarks(result.tally) : [];
  printFindings({
    firstSeed: options.seed,
    isJson: options.json === true,
    input,
    subject,
    pinned,
    result,
    failure,
    fault,
    missed,
    vacuity,
  });
}

function runSeeds(
  pool: ThreadPool,
  seeds: number | undefined,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<CampaignResult> {
  const bar = createProgressBar(seeds);
  const started = runCampaign({
    firstSeed: options.seed.seed,
    seeds,
    milliseconds: options.minutes === undefined ? undefined : options.minutes * 60_000,
    jobs: options.jobs,
    pool,
    invariants: [...invariants, ...extras].map(({ name }) => name),
    marks: marks.map(({ name }) => name),
    now: () => performance.now(),
    signal,
    onSeed: (done, hasFailed) => bar.update(done, hasFailed ? '(one has failed)' : ''),
  });
  return started.finally(() => bar.stop());
}

/**
 * Whether a campaign has to reach every mark its scenarios require: one over drawn scenarios that is
 * long enough and came to its end. What another subject can reach is not known.
 */
function isGated(subject: Subject, { source }: CampaignSettings, result: CampaignResult): boolean {
  const isWhole = result.ended === 'all-seeds' || result.ended === 'time';
  const isLong = result.tally.seeds >= SEEDS_FOR_GATES;
  return isWhole && isLong && source.kind === 'drawn' && subject.contract === undefined;
}

interface Interrupt {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** The first Ctrl-C ends the campaign, the second the process. */
function catchInterrupt(): Interrupt {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  return { signal: controller.signal, release: () => process.off('SIGINT', abort) };
}
