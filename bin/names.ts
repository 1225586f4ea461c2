// `--subject list` and `--mutant list`: one name a line, with a sentence each.

import { namedSubjects } from '../properties/campaign/load-subject.ts';
import { mutants } from '../properties/mutants/mutants.ts';
import { print } from './output.ts';

/** Prints the list that was asked for; says whether one was. */
export function printNames(options: {
  readonly subject?: string;
  readonly mutant?: string;
}): boolean {
  if (options.mutant === 'list') {
    printList(mutants);
    return true;
  }
  if (options.subject === 'list') {
    printList([...namedSubjects.values()].map((create) => create()));
    return true;
  }
  return false;
}

function printList(
  entries: readonly { readonly name: string; readonly sentence?: string }[],
): void {
  const width = Math.max(...entries.map(({ name }) => name.length));
  const lines = entries.map(({ name, sentence = '' }) => `${name.padEnd(width)}  ${sentence}`);
  print(lines.join('\n'));
}
