// What a script did to the keys it was given: their bytes before and after, for the run's history.
// Only strings have bytes here; of other types the history tells nothing but the expiry.

import type { KeyChange } from '../../run/history.ts';
import type { CommandContext } from '../commands/command.ts';
import { never } from '../keyspace.ts';

export function readBefore(
  context: CommandContext,
  keys: readonly string[],
): readonly (string | undefined)[] {
  return keys.map((key) => readText(context, key));
}

export function describeChanges(
  context: CommandContext,
  keys: readonly string[],
  before: readonly (string | undefined)[],
): readonly KeyChange[] {
  const { keyspace } = context;
  return keys.map((key, index) => {
    const entry = keyspace.peek(key, keyspace.nowMs);
    const value = entry?.value;
    const expiresAtMs = entry?.expiresAtMs ?? never;
    return {
      key,
      before: before[index],
      after: typeof value === 'string' ? value : undefined,
      expiresAtMs: expiresAtMs === never ? undefined : expiresAtMs,
    };
  });
}

function readText(context: CommandContext, key: string): string | undefined {
  const { keyspace } = context;
  const value = keyspace.peek(key, keyspace.nowMs)?.value;
  return typeof value === 'string' ? value : undefined;
}
