import { describe, expect, it } from 'vitest';
import { exitCodeOf, isAsExpected, type ReplayedRun, statusOf } from './replay-status.ts';

type Traced = Parameters<typeof statusOf>[0];

/** As much of a trace as a status depends on. */
function trace(expectation: string, verdict?: string): Traced {
  const latency = { minUs: 0, tailUs: 0 };
  return {
    header: {
      type: 'header',
      format: 1,
      seed: 1,
      subject: 'weir',
      transport: 'wire',
      client: 5,
      drive: 'sync',
      expect: expectation,
      scenario: {
        format: 1,
        seed: 1,
        policies: {},
        topology: {
          gateways: 1,
          replicas: 1,
          clockOffsetsMs: {},
          gatewayLink: latency,
          storeLink: latency,
          scriptUs: 0,
          commandUs: 0,
        },
        workload: { kind: 'requests', requests: [] },
        faults: [],
        knobs: { deadlineMs: 1, gatewayDeadlineMs: 1, settleMs: 1 },
      },
    },
    digests: verdict === undefined ? undefined : { history: 'old', verdict },
  };
}

function run(violated: readonly string[], verdict = 'v', history = 'h'): ReplayedRun {
  const violations = violated.map((invariant) => ({ invariant, atUs: 0, message: 'M.' }));
  return { violations, digests: { history, verdict } };
}

const twice = (traced: Traced, once: ReplayedRun) => statusOf(traced, once, once);

describe('a replay', () => {
  it('still fails when the same invariant is broken, also beside others', () => {
    expect(twice(trace('fails key-has-ttl'), run(['conservation', 'key-has-ttl']))).toBe(
      'still fails',
    );
    expect(exitCodeOf('still fails')).toBe(1);
  });

  it('has changed when another invariant is broken, or one where none was', () => {
    expect(twice(trace('fails key-has-ttl'), run(['conservation']))).toBe('changed');
    expect(twice(trace('passes', 'v'), run(['conservation']))).toBe('changed');
    expect(exitCodeOf('changed')).toBe(1);
  });

  it('is fixed when nothing is broken any more', () => {
    expect(twice(trace('fails key-has-ttl', 'other'), run([]))).toBe('fixed');
    expect(exitCodeOf('fixed')).toBe(0);
  });

  it('has drifted when a passing trace has other verdicts, whatever its history', () => {
    expect(twice(trace('passes', 'v'), run([], 'v', 'new history'))).toBe('passes');
    expect(twice(trace('passes', 'old'), run([]))).toBe('drifted');
    expect(twice(trace('passes'), run([]))).toBe('passes');
    expect([exitCodeOf('passes'), exitCodeOf('drifted')]).toEqual([0, 1]);
  });

  it('is a fault of the harness when two runs differ', () => {
    const status = statusOf(trace('passes', 'v'), run([], 'v', 'a'), run([], 'v', 'b'));
    expect(status).toBe('not deterministic');
    expect(exitCodeOf(status)).toBe(3);
  });

  it('does what a pinned trace says only when it passes or fails as said', () => {
    expect(isAsExpected(trace('passes'), 'passes')).toBe(true);
    expect(isAsExpected(trace('passes'), 'drifted')).toBe(false);
    expect(isAsExpected(trace('fails key-has-ttl'), 'still fails')).toBe(true);
    expect(isAsExpected(trace('fails key-has-ttl'), 'fixed')).toBe(false);
  });
});
