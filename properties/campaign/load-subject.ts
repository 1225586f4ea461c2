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
import type { SubjectChoice } from './settings.ts';

/** A subject that cannot be had: wrong name, file that does not load, wrong shape. */
export class SubjectError extends Error {
  readonly code = 'invalid-subject';
  readonly file: string;
  readonly path: string;
  readonly value: string;
  readonly expected: string;

  constructor(o: {
    file: string;
    path?: string;
    value: string;
    expected: string;
    cause?: unknown;
  }) {
    super(`${o.file}: ${o.path ?? 'default'}: ${o.value}: expected ${o.expected}`, {
      cause: o.cause,
    });
    this.file = o.file;
    this.path = o.path ?? 'default';
    this.value = o.value;
    this.expected = o.expected;
  }
}

const contractSchema = z.strictObject({
  algorithm: z.string(),
  capacity: z.number().min(0),
  rate: z.strictObject({ tokens: z.number().min(0), periodMs: z.number().positive() }),
  promises: z.array(z.string()),
});

const subjectSchema = z.object({
  name: z.string().min(1),
  sentence: z.string().optional(),
  contract: z.record(z.string(), contractSchema).optional(),
  createHost: z.custom<Subject['createHost']>((value) => typeof value === 'function', {
    error: 'a function that creates a host',
  }),
});

/** The subjects that have a name of their own. */
export const namedSubjects: ReadonlyMap<string, () => Subject> = new Map([
  ['weir', () => createWeirSubject()],
]);

/** Rejects with SubjectError, or with MutantError when a mutant does not apply. */
export async function loadSubject(choice: SubjectChoice): Promise<Subject> {
  if (choice.kind === 'file') return loadSubjectFile(choice.path);
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
      value: typeof loaded,
      expected: `a subject { name, contract?, createHost }; ${issue?.message ?? ''}`,
    });
  }
  const { name, sentence, contract } = parsed.data;
  return {
    name,
    ...(sentence === undefined ? {} : { sentence }),
    ...(contract === undefined ? {} : { contract }),
    // Called on the loaded object, so that a class instance keeps its `this`.
    createHost: (options) => parsed.data.createHost.call(loaded, options),
  };
}

async function importFile(path: string): Promise<unknown> {
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
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
