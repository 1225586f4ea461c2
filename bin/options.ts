// The options that `check` and `replay` share: what is run, and how.

import { type Command, Option } from 'commander';
import type { CampaignSettings, SubjectChoice } from '../properties/campaign/settings.ts';
import { defaultClient } from '../properties/subjects/ioredis-clients.ts';
import { shippedPolicies } from '../sim/workload/shipped.ts';
import { type LogInput, readLog, readPolicies, readScenario } from './inputs.ts';
import { parseClient, parseDrive, parseTransport } from './option-parsers.ts';
import { chooseSubjectByName } from './trace-files.ts';

/** Options as commander hands them over. */
export interface RunOptions {
  readonly policy?: string;
  readonly scenario?: string;
  readonly log?: string;
  readonly subject?: string;
  readonly mutant?: string;
  readonly transport: 'wire' | 'direct';
  readonly client: 5 | 6;
  readonly drive: 'sync' | 'turns';
}

/** Adds the shared options to a command. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--policy <file>', 'policies to try, YAML or JSON (default: the shipped ones)')
    .addOption(
      new Option('--scenario <file>', 'run this scenario under each seed').conflicts([
        'policy',
        'log',
      ]),
    )
    .option('--log <file>', 'requests from an access log in combined format')
    .option('--subject <name|file>', 'the limiter to try; `list` prints the names')
    .addOption(
      new Option(
        '--mutant <name>',
        'the limiter with a known mistake; `list` prints the names',
      ).conflicts('subject'),
    )
    .option(
      '--transport <wire|direct>',
      'real client over simulated sockets, or neither',
      parseTransport,
      'wire',
    )
    .option(
      '--client <5|6>',
      'major version of ioredis; by default the one that is installed, 5 when both are',
      parseClient,
      defaultClient(),
    )
    .option('--drive <sync|turns>', 'how promises are drained between events', parseDrive, 'sync');
}

/** What a command runs, read and validated. */
export interface Input {
  readonly settings: CampaignSettings;
  readonly log: LogInput['counts'] | undefined;
}

/** Reads every file the options name. @throws InputError and the like, naming the place */
export function readInput(options: RunOptions): Input {
  const { transport, client, drive } = options;
  const run = { subject: chooseSubject(options), transport, client, drive, extras: true };
  if (options.scenario !== undefined) {
    const source = { kind: 'given', scenario: readScenario(options.scenario) } as const;
    return { settings: { ...run, source }, log: undefined };
  }
  const log = options.log === undefined ? undefined : readLog(options.log);
  const source = {
    kind: 'drawn',
    policies: choosePolicies(options),
    requests: log?.requests,
  } as const;
  return { settings: { ...run, source }, log: log?.counts };
}

/** A log is real traffic: without policies of its own it meets the shipped ones, not drawn ones. */
function choosePolicies(options: RunOptions): unknown {
  if (options.policy !== undefined) return readPolicies(options.policy);
  return options.log === undefined ? undefined : shippedPolicies();
}

function chooseSubject({ subject, mutant }: RunOptions): SubjectChoice {
  if (mutant !== undefined) return { kind: 'mutant', name: mutant };
  return chooseSubjectByName(subject ?? 'weir');
}
