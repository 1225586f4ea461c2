// The options that `check` and `replay` share: what is run, and how.

import { Command, Option } from 'commander';
import type { CampaignSettings, SubjectChoice } from '../properties/campaign/settings.ts';
import { InputError } from './input-error.ts';
import { readLog, readPolicies, readScenario } from './inputs.ts';
import { parseClient, parseDrive, parseTransport } from './option-parsers.ts';

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
      new Option('--scenario <file>', 'run this scenario under each seed').conflicts(['policy', 'log']),
    )
    .option('--log <file>', 'requests from an access log in combined format')
    .option('--subject <name|file>', 'the limiter to try; `list` prints the names')
    .addOption(
      new Option('--mutant <name>', 'the limiter with a known mistake; `list` prints the names').conflicts(
        'subject',
      ),
    )
    .option('--transport <wire|direct>', 'real client over simulated sockets, or neither', parseTransport, 'wire')
    .option('--client <5|6>', 'major version of ioredis', parseClient, 5)
    .option('--drive <sync|turns>', 'how promises are drained between events', parseDrive, 'sync');
}

/** Reads every file the options name. @throws InputError and the like, naming the place */
export function readSettings(options: RunOptions): CampaignSettings {
  const { transport, client, drive } = options;
  const subject = chooseSubject(options);
  if (options.scenario !== undefined) {
    const scenario = readScenario(options.scenario);
    const source = { kind: 'given', scenario } as const;
    return { subject, transport, client, drive, source, extras: true };
  }
  const policies = options.policy === undefined ? undefined : readPolicies(options.policy);
  const requests = options.log === undefined ? undefined : readLog(options.log, policies);
  const source = { kind: 'drawn', policies, requests } as const;
  return { subject, transport, client, drive, source, extras: true };
}

/** A subject is a file when it looks like one: a path, or a name with a module's suffix. */
export function chooseSubject({ subject, mutant }: Pick<RunOptions, 'subject' | 'mutant'>): SubjectChoice {
  if (mutant !== undefined) return { kind: 'mutant', name: mutant };
  const name = subject ?? 'weir';
  if (name === '') {
    throw new InputError({ file: '--subject', path: 'name', value: name, expected: 'a name or a file' });
  }
  const isFile = /[/\\]|\.[cm]?[jt]s$/.test(name);
  return isFile ? { kind: 'file', path: name } : { kind: 'named', name };
}
