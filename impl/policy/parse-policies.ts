// Reads a policy document, as YAML or JSON text or as plain data, into a `PolicySet`. Every mistake
// in it is reported here, once, as one `PolicyError`; nothing about policies fails later.

import { createHash } from 'node:crypto';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { normaliseRoute } from '../descriptor/normalise-route.ts';
import { PolicyError } from './error.ts';
import { type CompiledLimit, PolicySet } from './policy-set.ts';
import { parseRate, RATE_EXPECTED } from './rate.ts';
import { type LimitDocument, policySchema } from './schema.ts';
import { compileTokenBucket } from './token-bucket.ts';

/** Changes with the byte layout of the state in lua/token-bucket.lua. */
const STATE_FORMAT = 1;

/**
 * Parses and compiles a policy document.
 *
 * @param source YAML or JSON text, or the document as plain data
 * @param options.file the name to show in errors, by default "policies"
 * @throws PolicyError naming file, path in it, value and what was expected
 * @example parsePolicies({ limits: [{ id: 'read', key: ['tenant'], rate: '100/min', burst: 20 }] })
 */
export function parsePolicies(source: unknown, options: { file?: string } = {}): PolicySet {
  const file = options.file ?? 'policies';
  const data = typeof source === 'string' ? parseText(source, file) : source;
  const parsed = policySchema.safeParse(data);
  if (!parsed.success) {
    throw toPolicyError(parsed.error, data, file);
  }
  const seen = new Set<string>();
  const limits = parsed.data.limits.map((limit, index) => {
    if (seen.has(limit.id)) {
      const path = `limits[${index}].id`;
      throw new PolicyError({ file, path, value: limit.id, expected: 'an id used only once' });
    }
    seen.add(limit.id);
    return compileLimit(limit, index, file);
  });
  return new PolicySet(parsed.data.revision, limits);
}

function parseText(text: string, file: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    const path = `line ${line}, column ${col}`;
    const value = text.split(/\r?\n/)[line - 1] ?? '';
    throw new PolicyError({ file, path, value, expected: `YAML or JSON (${error.message})` });
  }
  return document.toJS();
}

function compileLimit(limit: LimitDocument, index: number, file: string): CompiledLimit {
  const rate = parseRate(limit.rate);
  if (rate === undefined) {
    const path = `limits[${index}].rate`;
    throw new PolicyError({ file, path, value: limit.rate, expected: RATE_EXPECTED });
  }
  const burst = limit.burst ?? rate.tokens;
  return {
    id: limit.id,
    index,
    method: limit.match?.method?.toUpperCase(),
    route: limit.match?.route === undefined ? undefined : normaliseRoute(limit.match.route),
    key: limit.key,
    rate,
    burst,
    bucket:
      rate.tokens === 0 || burst === 0 ? undefined : compileBucket(limit, rate, burst, index, file),
    stateVersion: hashStateShape(limit.algorithm, rate.periodMs, limit.key),
  };
}

function compileBucket(
  limit: LimitDocument,
  rate: { tokens: number; periodMs: number },
  burst: number,
  index: number,
  file: string,
) {
  const bucket = compileTokenBucket(rate, burst);
  if ('expected' in bucket) {
    // A burst that was not written came from the rate, so the rate is the place to mend.
    const field = limit.burst === undefined ? 'rate' : bucket.field;
    const value = limit[field];
    const path = `limits[${index}].${field}`;
    throw new PolicyError({ file, path, value, expected: bucket.expected });
  }
  return bucket;
}

/** Eight hexadecimal digits over everything that makes one state incompatible with another. */
function hashStateShape(algorithm: string, periodMs: number, key: readonly string[]): string {
  const shape = JSON.stringify([STATE_FORMAT, algorithm, periodMs, key]);
  return createHash('sha256').update(shape).digest('hex').slice(0, 8);
}

function toPolicyError(error: z.ZodError, data: unknown, file: string): PolicyError {
  const [issue] = error.issues;
  if (issue === undefined) {
    return new PolicyError({ file, path: 'document', value: data, expected: 'a policy document' });
  }
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const path = [...issue.path, name];
    const value = readAt(data, path);
    const expected = 'no such field (a misspelt name, or a feature this version lacks)';
    return new PolicyError({ file, path: formatPath(path), value, expected });
  }
  const value = readAt(data, issue.path);
  return new PolicyError({ file, path: formatPath(issue.path), value, expected: issue.message });
}

function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return text.join('').replace(/^\./, '') || 'document';
}

function readAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const part of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  }
  return value;
}
