// Reads what the user hands over: policies, scenarios, access logs. Each reader gives plain data that
// is known to be valid, or an error that names the place.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseDocument } from 'yaml';
import { parsePolicies } from '../impl/index.ts';
import { describeUnreadable } from '../sim/run/trace.ts';
import { type Request, type Scenario, scenarioSchema } from '../sim/scenario/scenario.ts';
import { readAccessLog } from '../sim/workload/access-log.ts';
import { loadAccessLog } from '../sim/workload/log-file.ts';
import { requestsFromLog } from '../sim/workload/log-requests.ts';
import { checkScenario } from './check-scenario.ts';
import { fromIssues, InputError } from './input-error.ts';

/** The file's bytes; a file that cannot be read is bad input. */
function readBytes(file: string, expected: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const value = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new InputError({ file, path: '', value, expected, problem: describeUnreadable(value) });
  }
}

function readText(file: string, expected: string): string {
  return readBytes(file, expected).toString('utf8');
}

/** A policy document (YAML or JSON) as plain data. @throws InputError, PolicyError */
export function readPolicies(file: string): unknown {
  const text = readText(file, 'a policy file (YAML or JSON) that can be read');
  const document = readYaml(file, text);
  parsePolicies(document, { file });
  return document;
}

/** A scenario (JSON or YAML), validated together with the policies inside it. @throws InputError */
export function readScenario(file: string): Scenario {
  const text = readText(file, 'a scenario file (JSON or YAML) that can be read');
  const document = readYaml(file, text);
  const parsed = scenarioSchema.safeParse(document);
  if (!parsed.success) throw fromIssues(file, document, parsed.error);
  checkScenario(parsed.data, { file, path: '' });
  return parsed.data;
}

export interface LogInput {
  readonly requests: readonly Request[];
  /** Lines that were left out, and lines that had to be sorted into place. */
  readonly counts: {
    readonly lines: number;
    readonly malformed: number;
    /** Numbers of the first lines that were left out, from 1. */
    readonly malformedAt: readonly number[];
    readonly unordered: number;
  };
}

/** An access log's requests: the address is the tenant, the agent the user. @throws AccessLogError */
export function readLog(file: string): LogInput {
  const bytes = readBytes(file, 'an access log that can be read');
  const { entries, lines, malformed, unordered } = loadAccessLog(file);
  const malformedAt = malformed === 0 ? [] : findMalformed(bytes);
  const counts = { lines, malformed, malformedAt, unordered };
  return { requests: requestsFromLog(entries), counts };
}

/** As many line numbers as one wants to look up. */
const MALFORMED_SHOWN = 3;

/** The first lines that are no log lines. Known to be few: the reader has found most of them good. */
function findMalformed(bytes: Buffer): number[] {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isCompressed ? gunzipSync(bytes) : bytes).toString('utf8');
  const found: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (found.length === MALFORMED_SHOWN) break;
    if (line.trim() !== '' && !isLogLine(line)) found.push(index + 1);
  }
  return found;
}

function isLogLine(line: string): boolean {
  try {
    readAccessLog(line, { file: '' });
    return true;
  } catch {
    return false;
  }
}

function readYaml(file: string, text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  const problem = document.errors[0];
  if (problem === undefined) return document.toJS();
  const [start] = problem.linePos ?? [];
  const message = problem.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '';
  throw new InputError({
    file: start === undefined ? file : `${file}:${start.line}:${start.col}`,
    path: '',
    value: message,
    expected: 'valid YAML or JSON',
    problem: `${message}, expected valid YAML or JSON`,
  });
}
