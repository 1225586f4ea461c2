// Turns the choice of a subject into a loaded one. Everything a subject needs is imported here,
// before any run starts, because an import during a run is an escape. A subject's file is outside
// data, so its shape is validated and every complaint names the file.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Subject } from '../../sim/subject.ts';
import { loadMutant } from '../mutants/load.ts';
import { findMutant } from '../mutants/mutants.ts';
import { createWeirSubject } from '../subjects/weir.ts';
import { refuseExit } from './exit-guard.ts';
import { checkContract, checkContractIds, contractSchema } from './load-subject-contract.ts';
import { SubjectError } from './load-subject-error.ts';
import type { ScenarioSource, SubjectChoice } from './settings.ts';

export { SubjectError } from './load-subject-error.ts';

const subjectSchema = z.object({
  name: z.string().min(1),
  sentence: z.string().optional(),
  contract: contractSchema.optional(),
  createHost: z.custom<Subject['createHost']>((value) => typeof value === 'function', {
    error: 'a function that creates a host',
  }),
});

/** The subjects that have a name of their own. */
export const namedSubjects: ReadonlyMap<string, () => Subject> = new Map([
  ['weir', () => createWeirSubject()],
]);

/**
 * Loads a subject. With the source of a campaign's scenarios the ids of its contract are held against
 * the policies too.
 *
 * Rejects with SubjectError, or with MutantError when a mutant does not apply.
 */
export async function loadSubject(
  choice: SubjectChoice,
  source?: ScenarioSource,
): Promise<Subject> {
  if (choice.kind === 'file') {
    const subject = await loadSubjectFile(choice.path);
    if (source !== undefined) checkContractIds(choice.path, subject.contract, source);
    return subject;
  }
  if (choice.kind === 'named') return loadNamedSubject(choice.name);
  const mutant = findMutant(choice.name);
  if (mutant === undefined) {
    throw new SubjectError({
      file: '--mutant',
      path: 'name',
      value: JSON.stringify(choice.name),
      expected: 'a name that `--mutant list` prints',
    });
  }
  return loadMutant(mutant);
}

function loadNamedSubject(name: string): Subject {
  const create = namedSubjects.get(name);
  if (create !== undefined) return create();
  throw new SubjectError({
    file: '--subject',
    path: 'name',
    value: JSON.stringify(name),
    expected: `a file, or one of ${[...namedSubjects.keys()].join(', ')}`,
  });
}

async function loadSubjectFile(path: string): Promise<Subject> {
  const loaded = await importFile(path);
  const parsed = subjectSchema.safeParse(loaded);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new SubjectError({
      file: path,
      path: ['default', ...(issue?.path ?? [])].join('.'),
      value: describeValue(loaded, issue?.path ?? []),
      expected: describeExpected(issue?.message ?? ''),
    });
  }
  const { name, sentence, contract } = parsed.data;
  if (contract !== undefined) checkContract(path, contract);
  return {
    name,
    ...(sentence === undefined ? {} : { sentence }),
    ...(contract === undefined ? {} : { contract }),
    // Called on the loaded object, so that a class instance keeps its `this`.
    createHost: (options) => parsed.data.createHost.call(loaded, options),
  };
}

function describeExpected(message: string): string {
  return message.replace(/^Invalid input: expected /, '');
}

/** The value at a path, short enough for a message. */
function describeValue(root: unknown, path: readonly PropertyKey[]): string {
  let value = root;
  for (const step of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  if (value === undefined) return 'nothing';
  const isData = typeof value !== 'function' && typeof value !== 'bigint';
  return (isData ? JSON.stringify(value) : String(value)).slice(0, 200);
}

async function importFile(path: string): Promise<unknown> {
  const restore = refuseExit();
  try {
    const module: unknown = await import(pathToFileURL(resolve(path)).href);
    return typeof module === 'object' && module !== null && 'default' in module
      ? module.default
      : undefined;
  } catch (cause) {
    throw new SubjectError({
      file: path,
      path: 'import',
      value: firstLine(cause),
      expected: 'a .js or .mjs module that loads',
      cause,
    });
  } finally {
    restore();
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
