// Where traces lie and what their headers say. Failures found here go to .weir/failures below the
// working directory; pinned traces are in traces/, of the package and of the working directory.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extras } from '../properties/campaign/extra.ts';
import { namedSubjects } from '../properties/campaign/load-subject.ts';
import type { Recording } from '../properties/campaign/recording.ts';
import type { RunSettings, SubjectChoice } from '../properties/campaign/settings.ts';
import { invariants } from '../properties/invariants/index.ts';
import { findMutant } from '../properties/mutants/mutants.ts';
import {
  readTrace,
  type Trace,
  TraceError,
  type TraceHeader,
  writeTrace,
} from '../sim/run/trace.ts';
import { checkScenario } from './check-scenario.ts';
import { expectedInvariant } from './replay-status.ts';

/** The file that keeps the failure of a seed. @param subject as it names itself */
export function failureFile(subject: string, invariant: string, seed: number): string {
  // A name may be anything, and the folder must stay below ours.
  const name = subject.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^\.+/, '_');
  return join('.weir', 'failures', name, invariant, `${seed}.jsonl`);
}

/** Writes a recorded run as a trace that expects what the run did. */
export function writeRecording(
  file: string,
  run: RunSettings,
  recording: Recording,
  expect: string,
): void {
  writeTrace(file, {
    header: {
      seed: recording.scenario.seed,
      ...subjectFields(run.subject),
      transport: run.transport,
      client: run.client,
      drive: run.drive,
      expect,
      codeDigest: digestCode(),
      versions: readVersions(run.client),
      scenario: recording.scenario,
    },
    events: recording.events,
    violations: recording.violations,
    digests: recording.digests,
  });
}

/** How a trace was run, as its header says. A subject's file is found from the working directory. */
export function runSettingsOf(header: TraceHeader): RunSettings {
  const { subject: name, mutant, transport, client, drive } = header;
  const subject: SubjectChoice =
    mutant !== undefined ? { kind: 'mutant', name: mutant } : chooseSubjectByName(name);
  return { subject, transport, client, drive };
}

/** A subject is a file when it looks like one: a path, or a name with a module's suffix. */
export function chooseSubjectByName(name: string): SubjectChoice {
  const isFile = /[/\\]|\.[cm]?[jt]s$/.test(name);
  return isFile ? { kind: 'file', path: name } : { kind: 'named', name };
}

export interface PinnedTrace {
  readonly file: string;
  readonly trace: Trace;
}

/**
 * Reads a trace whose scenario can be run. Beyond its form this checks the names in it.
 *
 * @throws TraceError, InputError or PolicyError naming the place
 */
export function readRunnableTrace(file: string): Trace {
  const trace = readTrace(file);
  const { header } = trace;
  const expected = expectedInvariant(trace);
  const known = [...invariants, ...extras].map(({ name }) => name);
  if (expected !== undefined && !known.includes(expected)) {
    refuse('expect', header.expect, `"passes" or "fails" and one of ${known.join(', ')}`);
  }
  if (header.mutant !== undefined && findMutant(header.mutant) === undefined) {
    refuse('mutant', header.mutant, 'a name that `check --mutant list` prints');
  }
  const subject = chooseSubjectByName(header.subject);
  if (subject.kind === 'named' && !namedSubjects.has(subject.name)) {
    const names = [...namedSubjects.keys()].join(', ');
    refuse('subject', header.subject, `a subject's file, or one of ${names}`);
  }
  if (subject.kind === 'file' && !existsSync(resolve(subject.path))) {
    refuse('subject', header.subject, 'a file that exists, seen from the working directory');
  }
  checkScenario(header.scenario, { file: `${file}:1`, path: 'scenario.' });
  return trace;

  function refuse(path: string, value: string, expected: string): never {
    throw new TraceError({ file, line: 1, path, value, expected });
  }
}

/**
 * The pinned traces of a subject or mutant.
 *
 * @throws TraceError for one that cannot be read, whomever it is about
 */
export function readPinned(subject: SubjectChoice): PinnedTrace[] {
  const wanted = subjectFields(subject);
  return [...new Set([packagePath('traces'), resolve('traces')])]
    .flatMap(listTraces)
    .map((file) => relative('.', file))
    .filter((file) => {
      const { header } = readTrace(file);
      return header.subject === wanted.subject && header.mutant === wanted.mutant;
    })
    .map((file) => ({ file, trace: readRunnableTrace(file) }));
}

function subjectFields(subject: SubjectChoice): { subject: string; mutant?: string } {
  if (subject.kind === 'mutant') return { subject: 'weir', mutant: subject.name };
  return { subject: labelOf(subject) };
}

function labelOf(subject: SubjectChoice): string {
  return subject.kind === 'file' ? subject.path : subject.name;
}

function listTraces(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

let codeDigest: string | undefined;

/** SHA-256 over the code that runs: history digests compare only where it is the same. */
function digestCode(): string {
  codeDigest ??= hashFolder(packagePath('dist'));
  return codeDigest;
}

function hashFolder(folder: string): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((name) => /\.(js|lua)$/.test(name)).sort()) {
    hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

function readVersions(client: 5 | 6): Record<string, string> {
  const versions: Record<string, string> = { node: process.versions.node };
  const require = createRequire(import.meta.url);
  for (const name of [`ioredis${client}`, 'ioredis']) {
    try {
      const { version }: { version: string } = require(`${name}/package.json`);
      if (version.startsWith(`${client}.`)) versions['ioredis'] ??= version;
    } catch {
      // Only one of the two names is installed in most projects.
    }
  }
  return versions;
}

/** A file or folder of the package, from `dist/bin` (or `bin`, under a test) upwards. */
export function packagePath(name: string): string {
  const built = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL(`../${name}`, import.meta.url));
}
