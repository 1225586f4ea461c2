import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Scenario } from '../scenario/scenario.ts';
import type { HistoryEvent } from './history.ts';
import {
  formatTrace,
  parseTrace,
  readTrace,
  TraceError,
  type TraceSource,
  writeTrace,
} from './trace.ts';

const folder = mkdtempSync(join(tmpdir(), 'weir-trace-'));
afterAll(() => rmSync(folder, { recursive: true }));

const latency = { minUs: 100, tailUs: 0 };
const scenario: Scenario = {
  format: 1,
  seed: 7,
  policies: { limits: [] },
  topology: {
    gateways: 1,
    replicas: 1,
    clockOffsetsMs: {},
    gatewayLink: latency,
    storeLink: latency,
    scriptUs: 1,
    commandUs: 1,
  },
  workload: { kind: 'requests', requests: [] },
  faults: [{ kind: 'script-flush', id: 1, atMs: 5 }],
  knobs: { deadlineMs: 50, gatewayDeadlineMs: 80, settleMs: 1000 },
};
const events: HistoryEvent[] = [
  { kind: 'run-started', atUs: 0, scenario },
  {
    kind: 'script-executed',
    atUs: 9,
    operation: 33,
    storeMs: 1,
    failed: false,
    keys: [{ key: 'k', before: undefined, after: '\u0001\u00ff\n', expiresAtMs: 2 }],
  },
];
const source: TraceSource = {
  header: {
    scenario,
    seed: 7,
    subject: 'weir',
    mutant: 'no-ttl',
    transport: 'wire',
    client: 5,
    drive: 'sync',
    expect: 'fails key-has-ttl',
    codeDigest: 'abc',
    versions: { node: '20.20.2' },
  },
  events,
  violations: [{ invariant: 'key-has-ttl', atUs: 9, message: 'Key k has no TTL.' }],
  digests: { history: 'h', verdict: 'v' },
};
const text = formatTrace(source);
const parse = (content: string) => parseTrace(content, { file: 'a.jsonl' });

function errorOf(content: string): TraceError {
  try {
    parse(content);
  } catch (error) {
    if (error instanceof TraceError) return error;
    throw error;
  }
  throw new Error('Expected the trace to be refused.');
}

describe('traces', () => {
  it('give back what was written, bytes of keys included', () => {
    const trace = parse(text);
    expect(trace.header).toMatchObject(source.header);
    expect(trace.header.scenario).toEqual(scenario);
    expect(trace.events).toHaveLength(2);
    expect(trace.events[1]).toMatchObject({ keys: [{ key: 'k', after: '\u0001\u00ff\n' }] });
    expect(trace.violations).toEqual(source.violations);
    expect(trace.digests).toMatchObject(source.digests);
  });

  it('hold the scenario once', () => {
    expect(text.split('settleMs')).toHaveLength(2);
  });

  it('are read although a newer writer added fields and lines', () => {
    const newer = text
      .replace('"type":"header"', '"type":"header","color":"blue"')
      .replace('"type":"verdict"', '"type":"verdict","score":1')
      .concat('{"type":"profile","samples":[1]}\n');
    const trace = parse(newer);
    expect(trace.header).toMatchObject({ color: 'blue' });
    expect(trace.violations).toHaveLength(1);
  });

  it('need no more than a header when they are written by hand', () => {
    const [header = ''] = text.replace('"codeDigest":"abc",', '').split('\n');
    expect(parse(header)).toMatchObject({ events: [], digests: undefined });
  });

  it('are refused when they were cut between two lines', () => {
    const lines = text.trimEnd().split('\n');
    for (let kept = 1; kept < lines.length; kept += 1) {
      const { message } = errorOf(`${lines.slice(0, kept).join('\n')}\n`);
      expect(message).toBe(`a.jsonl:${kept}: the trace has no end: it was cut`);
    }
  });

  it('say an unknown key, a list of choices and a bound in words', () => {
    const messageOf = (from: string, to: string) => errorOf(text.replace(from, to)).message;
    expect(messageOf('"replicas":1', '"replicas":1,"gatways":2')).toBe(
      'a.jsonl:1: scenario.topology: unknown key "gatways"',
    );
    expect(messageOf('"drive":"sync"', '"drive":"fast"')).toBe(
      'a.jsonl:1: drive is "fast", expected one of "sync", "turns"',
    );
    expect(messageOf('"replicas":1', '"replicas":0')).toBe(
      'a.jsonl:1: scenario.topology.replicas is 0, expected a number of at least 1',
    );
    expect(messageOf('"clockOffsetsMs":{}', '"clockOffsetsMs":{"bob":1}')).toMatch(
      /clockOffsetsMs: unknown key "bob", expected a host/,
    );
  });

  it('name file, line, path, value and what was expected when something is wrong', () => {
    expect(errorOf(text.replace('"script-flush"', '"script-fluhs"'))).toMatchObject({
      code: 'invalid-trace',
      file: 'a.jsonl',
      line: 1,
      path: 'scenario.faults[0].kind',
      value: 'script-fluhs',
    });
    expect(errorOf(text.replace('"client":5', '"client":4'))).toMatchObject({
      path: 'client',
      value: 4,
    });
    expect(errorOf(text.replace('"history":"h"', '"history":3')).message).toBe(
      'a.jsonl:5: history is 3, expected a string',
    );
    expect(errorOf(text.replace('fails key-has-ttl', 'fails')).expected).toMatch(/"passes" or/);
    expect(errorOf(text.replace('"format":1', '"format":2')).expected).toMatch(/this version/);
    expect(errorOf('{"type":"event"}\n').path).toBe('type');
    expect(errorOf('{"type"').message).toMatch(/^a\.jsonl:1: the line is/);
    expect(errorOf('\n').message).toMatch(/a\.jsonl: the file is empty/);
  });

  it('are written whole into folders that are made, and read from there', () => {
    const file = join(folder, 'weir', 'key-has-ttl', '7.jsonl');
    writeTrace(file, source);
    expect(readTrace(file)).toEqual(parse(text));
    expect(readdirSync(join(folder, 'weir', 'key-has-ttl'))).toEqual(['7.jsonl']);
    expect(existsSync(join(folder, 'gone'))).toBe(false);
    expect(() => readTrace(join(folder, 'gone'))).toThrow(/gone: there is no such file$/);
  });
});
