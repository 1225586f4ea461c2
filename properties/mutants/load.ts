// Builds a mutant from the built limiter: copies `dist/impl` into the repository's `.weir` folder
// (inside the repository, so that its imports still find node_modules), applies the edits and
// imports the copy. The production files are never touched.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import type { Subject } from '../../sim/subject.ts';
import { createWeirSubject, type LimiterModule } from '../subjects/weir.ts';
import { applyEdit, type Mutant, MutantError } from './mutant.ts';

/** Rejects with MutantError when an edit does not apply or the edited limiter does not load. */
export async function loadMutant(mutant: Mutant): Promise<Subject> {
  const folder = buildMutant(mutant);
  try {
    const limiter: LimiterModule = await import(pathToFileURL(join(folder, 'index.js')).href);
    return { ...createWeirSubject(mutant.name, limiter), sentence: mutant.sentence };
  } catch (cause) {
    throw new MutantError(mutant.name, 'index.js', `the edited limiter does not load`, cause);
  }
}

/** Writes the edited copy, unless the very same copy is there already, and returns its folder. */
export function buildMutant(mutant: Mutant, root = findRoot()): string {
  const source = join(root, 'dist', 'impl');
  if (!existsSync(source)) {
    throw new MutantError(
      mutant.name,
      source,
      'expected the built limiter here: run npm run build',
    );
  }
  const name = `${mutant.name}-${hashOf(source, mutant)}`;
  const target = join(root, '.weir', 'mutants', name);
  if (existsSync(target)) return join(target, 'impl');
  // Several threads may build the same mutant: each writes its own copy, the first rename wins.
  const draft = join(root, '.weir', 'mutants', `.draft-${process.pid}-${threadId}`);
  mkdirSync(draft, { recursive: true });
  try {
    cpSync(source, join(draft, 'impl'), { recursive: true });
    for (const edit of mutant.edits) editFile(mutant.name, join(draft, 'impl'), edit);
    if (!existsSync(target)) renameSync(draft, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return join(target, 'impl');
}

function editFile(name: string, folder: string, edit: Mutant['edits'][number]): void {
  const file = join(folder, edit.file);
  if (!existsSync(file)) throw new MutantError(name, edit.file, 'expected this file to exist');
  writeFileSync(file, applyEdit(name, edit, readFileSync(file, 'utf8')));
}

/** Names the copy by all that shapes it, so that a rebuilt limiter never meets an old copy. */
function hashOf(source: string, mutant: Mutant): string {
  const hash = createHash('sha256').update(JSON.stringify(mutant.edits));
  for (const file of listFiles(source)) {
    hash.update(`\0${relative(source, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 12);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The repository's (or the installed package's) root: the folder that holds `dist`. */
function findRoot(): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const above = fileURLToPath(new URL('../../..', import.meta.url));
  return existsSync(join(above, 'dist', 'impl')) ? above : join(here, '..', '..');
}
