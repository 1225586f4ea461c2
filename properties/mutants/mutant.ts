// A mutant is the production limiter with one mistake put in on purpose. The simulator must catch
// each of them; one it does not catch is a hole in the invariants or in the scenarios.

export interface MutantEdit {
  /** Path inside `dist/impl`: edits are made to the built text, which is what runs. */
  readonly file: string;
  /** Must occur exactly once in the file, so that an edit never silently stops applying. */
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  /** Kebab-case; it names the folder of its failures in `traces/` and `.weir/failures/`. */
  readonly name: string;
  /** What is wrong with it, in one sentence. */
  readonly sentence: string;
  readonly edits: readonly MutantEdit[];
}

/** A mutant that does not apply any more: the code it edits has changed. */
export class MutantError extends Error {
  readonly code = 'mutant-does-not-apply';
  readonly mutant: string;
  readonly file: string;

  constructor(mutant: string, file: string, problem: string, cause?: unknown) {
    super(`mutant ${mutant}: ${file}: ${problem}`, { cause });
    this.mutant = mutant;
    this.file = file;
  }
}

/** Applies one edit to a file's text. Throws MutantError unless `find` occurs exactly once. */
export function applyEdit(mutant: string, edit: MutantEdit, text: string): string {
  const first = text.indexOf(edit.find);
  if (first < 0) {
    throw new MutantError(mutant, edit.file, `expected to find ${JSON.stringify(edit.find)} once`);
  }
  if (text.indexOf(edit.find, first + 1) >= 0) {
    throw new MutantError(
      mutant,
      edit.file,
      `expected ${JSON.stringify(edit.find)} to occur once, it occurs more often`,
    );
  }
  return text.slice(0, first) + edit.replace + text.slice(first + edit.find.length);
}
