// The ioredis clients a run may ask for. Version 5 is the peer dependency in this repository, version
// 6 is installed beside it under an alias; in another project only the one installed there exists.

// The platform's wrappers must be in place before any client takes hold of what they wrap.
import '../../sim/kernel/platform.ts';
import { createRequire } from 'node:module';

type RedisConstructor = new (options: Record<string, unknown>) => object;

const require = createRequire(import.meta.url);
const loaded = new Map<5 | 6, RedisConstructor>();

/** Thrown when a run asks for a major version of ioredis that is not installed. */
export class ClientMissingError extends Error {
  readonly code = 'client-missing';
}

/**
 * The client class of the given major version. Loaded on first use, which must be before a run: a
 * simulation cannot load code.
 *
 * @throws ClientMissingError when that version is not installed.
 */
export function loadClient(version: 5 | 6): RedisConstructor {
  const known = loaded.get(version);
  if (known !== undefined) return known;
  for (const name of [`ioredis${version}`, 'ioredis']) {
    const found = tryRequire(name);
    if (found?.major === version) {
      loaded.set(version, found.constructor);
      return found.constructor;
    }
  }
  throw new ClientMissingError(
    `ioredis ${version} is not installed here: \`npm install ioredis@${version}\`, or choose the other client.`,
  );
}

/** The major version to run where nobody asks for one: 5, or 6 where only that is installed. */
export function defaultClient(): 5 | 6 {
  return isClientInstalled(5) || !isClientInstalled(6) ? 5 : 6;
}

export function isClientInstalled(version: 5 | 6): boolean {
  try {
    loadClient(version);
    return true;
  } catch (error) {
    if (error instanceof ClientMissingError) return false;
    throw error;
  }
}

/** Loads every version that is installed, so that no run has to. */
export function loadInstalledClients(): void {
  for (const version of [5, 6] as const) isClientInstalled(version);
}

function tryRequire(name: string): { major: number; constructor: RedisConstructor } | undefined {
  try {
    const { version } = require(`${name}/package.json`) as { version: string };
    const { Redis } = require(name) as { Redis: RedisConstructor };
    return { major: Number.parseInt(version, 10), constructor: Redis };
  } catch {
    return undefined;
  }
}
