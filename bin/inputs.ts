// Reads what the user hands over: policies, scenarios, access logs. Each reader gives plain data that
// is known to be valid, or an error that names the place.

import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { parsePolicies } from '../impl/index.ts';
import { type Request, type Scenario, scenarioSchema } from '../sim/scenario/scenario.ts';
import { loadAccessLog } from '../sim/workload/log-file.ts';
import { requestsFromLog } from '../sim/workload/log-requests.ts';
import { fromIssues, InputError } from './input-error.ts';

/** The file's text; a file that cannot be read is bad input. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new InputError({ file, path: '(the file)', value: code, expected: what });
  }
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
  checkScenario(parsed.data, file);
  return parsed.data;
}

export interface LogInput {
  readonly requests: readonly Request[];
  /** Lines that were left out, and lines that had to be sorted into place. */
  readonly counts: {
    readonly lines: number;
    readonly malformed: number;
    readonly unordered: number;
  };
}

/** An access log's requests: the address is the tenant, the agent the user. @throws AccessLogError */
export function readLog(file: string): LogInput {
  const { entries, lines, malformed, unordered } = loadAccessLog(file);
  return { requests: requestsFromLog(entries), counts: { lines, malformed, unordered } };
}

/** Validates what the schema of a scenario leaves open: each policy document in it. */
export function checkScenario(scenario: Scenario, file: string): void {
  parsePolicies(scenario.policies, { file });
  for (const fault of scenario.faults) {
    if (fault.kind === 'policy-change') parsePolicies(fault.policies, { file });
  }
}

function readYaml(file: string, text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  const problem = document.errors[0];
  if (problem === undefined) return document.toJS();
  const [start] = problem.linePos ?? [];
  const message = problem.message.split('\n')[0] ?? '';
  throw new InputError({
    file,
    path: start === undefined ? '(all of it)' : `line ${start.line}, column ${start.col}`,
    value: message,
    expected: 'valid YAML or JSON',
  });
}
