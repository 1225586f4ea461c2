// Breaks every invariant on purpose: one made-up history that keeps it and one that spoils it, so that
// no invariant can be green because it looks at nothing.

import { describe, expect, it } from 'vitest';
import { add, divideDown, multiply } from '../../model/index.ts';
import type { Fault } from '../../sim/scenario/scenario.ts';
import { type Judgement, judge, SyntheticRun } from '../oracle/synthetic-run.ts';
import { invariants } from './index.ts';

const limit = { id: 'read', match: { route: '/orders/:id' }, key: ['tenant', 'user'] };
const policies = { revision: 1, limits: [{ ...limit, rate: '100/min', burst: 5 }] };
const raised = { revision: 2, limits: [{ ...limit, rate: '200/min', burst: 9 }] };
const hourly = { revision: 2, limits: [{ ...limit, rate: '100/h', burst: 5 }] };

type Play = (run: SyntheticRun) => void;

/** A run with two answered checks before and one long after, and the given part in between. */
function play(
  part: Play,
  options: { faults?: Fault[]; end?: Parameters<SyntheticRun['end']>[1] } = {},
) {
  const run = new SyntheticRun(policies, options.faults);
  run.check({ atMs: 10 });
  run.check({ atMs: 20, host: 'replica-1' });
  part(run);
  run.check({ atMs: 60_000 });
  return judge(run.end(61_000, options.end).events);
}

/** Everything that may go wrong honestly: refusals, looks, losses, policies, clocks. */
const honest: Play = (run) => {
  for (let count = 0; count < 8; count += 1) run.check({ atMs: 100 + count });
  run.check({ atMs: 110, cost: 0 });
  run.check({ atMs: 111, cost: 6 });
  run.check({ atMs: 1000, storeAtMs: 900 });
  run.check({ atMs: 1100, policies: raised });
  run.check({ atMs: 1101 });
  run.lose(1200);
  for (let count = 0; count < 8; count += 1) run.check({ atMs: 1300 + count });
  run.check({ atMs: 1400, policies: hourly });
  run.check({ atMs: 1500, path: '/unlimited' });
};

const blackHole: Fault = {
  kind: 'black-hole',
  id: 1,
  atMs: 1000,
  durationMs: 1000,
  from: 'replica-0',
  to: 'redis',
};

const brokenBy: Record<string, [string, () => Judgement][]> = {
  'check-answers': [
    [
      'a check that rejects',
      () => play((run) => run.check({ atMs: 100, error: 'Error: Connection is closed.' })),
    ],
    [
      'a check without a yes or no',
      () => play((run) => run.check({ atMs: 100, outcome: () => undefined })),
    ],
  ],
  'bucket-within-capacity': [
    [
      'a level above the capacity',
      () => play((run) => run.check({ atMs: 100, store: (s) => ({ ...s, units: 18_000_000 }) })),
    ],
    [
      'a fraction on top of a full bucket',
      () => play((run) => run.check({ atMs: 100, store: (s) => ({ ...s, units: 15_000_001 }) })),
    ],
    ['bytes that are no state', () => play((run) => run.check({ atMs: 100, bytes: '\x01-3' }))],
  ],
  'bucket-has-own-key': [
    [
      'two tenants joined to one key',
      () =>
        play((run) => {
          run.check({ atMs: 100, tenant: 'a', key: 'same' });
          run.check({ atMs: 200, tenant: 'b', key: 'same' });
        }),
    ],
    [
      'a bucket that changes its key',
      () =>
        play((run) => {
          run.check({ atMs: 100, key: 'one' });
          run.check({ atMs: 200, key: 'two' });
        }),
    ],
    [
      'a key that stays when the period changes',
      () =>
        play((run) => {
          run.check({ atMs: 100, key: 'same' });
          run.check({ atMs: 200, key: 'same', policies: hourly });
        }),
    ],
  ],
  conservation: [
    [
      'a microtoken minted',
      () =>
        play((run) =>
          run.check({ atMs: 100, store: (s) => ({ ...s, units: add(s.units, s.parameters.den) }) }),
        ),
    ],
    [
      'a remainder dropped',
      () =>
        play((run) =>
          run.check({
            atMs: 101,
            store: (s) => ({ ...s, units: multiply(divideDown(s.units, 3), 3) }),
          }),
        ),
    ],
    [
      'a debit that is not written',
      () => play((run) => run.check({ atMs: 100, writesAnyway: false })),
    ],
    [
      'a level dated wrongly',
      () => play((run) => run.check({ atMs: 100, store: (s) => ({ ...s, lastMs: s.lastMs + 1 }) })),
    ],
    [
      'another hand in the bucket',
      () =>
        play((run) => {
          for (const [key, stored] of run.store) {
            const state = { ...stored.state, units: 0 };
            run.store.set(key, { ...stored, state, raw: '\x01\x01' });
          }
          run.check({ atMs: 100 });
        }),
    ],
  ],
  'admission-bound': [
    [
      'twelve at once from a bucket of five',
      () =>
        play((run) => {
          for (let count = 0; count < 12; count += 1) {
            run.check({ atMs: 100, outcome: (o) => ({ ...o, allowed: true }) });
          }
        }),
    ],
    [
      'admissions without the store',
      () =>
        play((run) => {
          for (let count = 0; count < 12; count += 1) {
            run.check({ atMs: 100, isUnsent: true, outcome: () => ({ allowed: true }) });
          }
        }),
    ],
  ],
  'no-wrongful-refusal': [
    [
      'a refusal with tokens left',
      () =>
        play((run) =>
          run.check({
            atMs: 100,
            outcome: (o) => ({ ...o, allowed: false, reason: 'rate-limited' }),
          }),
        ),
    ],
    [
      'an admission from an empty bucket',
      () =>
        play((run) => {
          for (let count = 0; count < 6; count += 1) {
            run.check({ atMs: 100, outcome: (o) => ({ ...o, allowed: true }) });
          }
        }),
    ],
    [
      'store-unavailable out of the blue',
      () => play((run) => run.check({ atMs: 100, isUnsent: true })),
    ],
    [
      'store-unavailable after an answer that came in time',
      () =>
        play((run) => {
          const reason = 'store-unavailable';
          const outcome = () => ({ allowed: false, reason, source: 'none' });
          run.check({ atMs: 100, takesMs: 50, outcome });
        }),
    ],
    [
      'a request without a limit refused',
      () =>
        play((run) => run.check({ atMs: 100, path: '/x', outcome: () => ({ allowed: false }) })),
    ],
  ],
  'refused-changes-nothing': [
    [
      'a refusal that debits',
      () =>
        play((run) => {
          for (let count = 0; count < 5; count += 1) run.check({ atMs: 100 });
          const store = <S extends object>(s: S) => ({ ...s, units: 0 });
          run.check({ atMs: 100, writesAnyway: true, store });
        }),
    ],
    [
      'a look that writes',
      () => play((run) => run.check({ atMs: 100, cost: 0, writesAnyway: true })),
    ],
    [
      'a debit that is called a refusal',
      () => play((run) => run.check({ atMs: 100, outcome: (o) => ({ ...o, allowed: false }) })),
    ],
  ],
  'retry-after-kept': [
    [
      'a wait that is a millisecond short',
      () =>
        play((run) => {
          for (let count = 0; count < 6; count += 1) {
            run.check({
              atMs: 100,
              outcome: (o) => ({ ...o, retryAfterMs: o.retryAfterMs && o.retryAfterMs - 1 }),
            });
          }
        }),
    ],
    [
      'a refusal after the promised wait',
      () =>
        play((run) => {
          for (let count = 0; count < 6; count += 1) run.check({ atMs: 100 });
          run.check({
            atMs: 1000,
            outcome: (o) => ({ ...o, allowed: false, retryAfterMs: undefined }),
          });
        }),
    ],
  ],
  'remaining-and-reset-true': [
    [
      'a reset that is wrong by one',
      () =>
        play((run) =>
          run.check({ atMs: 100, outcome: (o) => ({ ...o, resetMs: (o.resetMs ?? 0) + 1 }) }),
        ),
    ],
    [
      'a remaining that is wrong by one',
      () => play((run) => run.check({ atMs: 100, outcome: (o) => ({ ...o, remaining: 5 }) })),
    ],
  ],
  'upstream-only-after-allow': [
    [
      'an upstream request after a no',
      () =>
        play((run) => {
          run.check({ atMs: 100, cost: 6, isSentToUpstream: true });
        }),
    ],
    [
      'an upstream request twice',
      () =>
        play((run) => {
          const operation = run.check({ atMs: 100 });
          run.add({ kind: 'upstream', atUs: 200_000, operation });
        }),
    ],
  ],
  'reply-matches-request': [
    [
      'a yes to the client after a no of the check',
      () =>
        play((run) => run.check({ atMs: 100, cost: 6, answered: true, isSentToUpstream: false })),
    ],
    [
      'a decision before the script has run',
      () =>
        play((run) =>
          run.check({
            atMs: 100,
            isUnsent: true,
            outcome: () => ({ allowed: true, source: 'store' }),
          }),
        ),
    ],
    [
      'two answers',
      () =>
        play((run) => {
          const operation = run.check({ atMs: 100 });
          run.add({ kind: 'answered', atUs: 200_000, operation, allowed: true, by: 'replica' });
        }),
    ],
  ],
  'one-script-per-decision': [
    [
      'two scripts without a NOSCRIPT between',
      () => play((run) => run.sent(run.check({ atMs: 100 }), 150)),
    ],
    [
      'a script where no limit matches',
      () => play((run) => run.sent(run.check({ atMs: 100, path: '/x' }), 150)),
    ],
  ],
  'executed-once': [
    ['a script that ran again', () => play((run) => run.executed(run.check({ atMs: 100 }), 150))],
    [
      'a script that ran again after many others',
      () => play((run) => run.executed(checkAmongMany(run), 9000)),
    ],
  ],
  'nothing-sent-after-settle': [
    ['a script after the answer', () => play((run) => run.sent(run.check({ atMs: 100 }), 150))],
    ['a script that nobody asked for', () => play((run) => run.sent(0, 150))],
  ],
  'key-has-ttl': [
    ['no time to live', () => play((run) => run.check({ atMs: 100, expires: () => undefined }))],
    [
      'one millisecond less than the time to full',
      () => play((run) => run.check({ atMs: 100, expires: (fullMs) => fullMs - 1 })),
    ],
    [
      'a key that stays for ever',
      () => play((run) => run.check({ atMs: 100, expires: (fullMs) => fullMs + 100_000_000 })),
    ],
    [
      'a key that is gone too early',
      () =>
        play((run) => {
          run.store.clear();
          run.check({ atMs: 100 });
        }),
    ],
  ],
  'settles-once-within-deadline': [
    [
      'a second answer after many others',
      () =>
        play((run) => {
          const operation = checkAmongMany(run);
          const outcome = { allowed: true };
          const settled = { operation, host: 'replica-0', outcome, error: undefined };
          run.add({ kind: 'check-settled', atUs: 9_000_000, ...settled });
        }),
    ],
    ['a late answer', () => play((run) => run.check({ atMs: 100, takesMs: 53 }))],
    [
      'an error',
      () => play((run) => run.check({ atMs: 100, error: 'Error: Connection is closed.' })),
    ],
    ['a check that never settles', () => play(() => {}, { end: { unsettled: [7] } })],
    [
      'two answers',
      () =>
        play((run) => {
          const operation = run.check({ atMs: 100 });
          const outcome = { allowed: true, source: 'store' };
          const rest = { operation, host: 'replica-0', outcome, error: undefined };
          run.add({ kind: 'check-settled', atUs: 120_000, ...rest });
        }),
    ],
  ],
  'recovery-after-heal': [
    [
      'no answer six seconds after a black hole',
      () =>
        play(
          (run) => {
            run.fault(blackHole);
            run.check({ atMs: 1500, isUnsent: true, takesMs: 50 });
            run.fault(blackHole, 'end');
            run.check({ atMs: 8000, isUnsent: true });
          },
          { faults: [blackHole] },
        ),
    ],
  ],
  'nothing-left-after-run': [
    [
      'a timer that is left',
      () => play(() => {}, { end: { left: [{ host: 'replica-0', what: 'timer', count: 1 }] } }),
    ],
  ],
  'host-never-fails': [
    [
      'an unhandled rejection',
      () =>
        play((run) => {
          run.add({ kind: 'host-failure', atUs: 100_000, host: 'replica-0', error: 'Error: no' });
        }),
    ],
  ],
};

describe('an honest run', () => {
  const judgement = play(honest);

  it('breaks no invariant', () => {
    expect(judgement.violations).toEqual([]);
  });

  it.each(invariants.map(({ name }) => name).filter((name) => name !== 'admission-bound'))(
    'puts %s to the test',
    (name) => {
      expect(judgement.evaluations[name]).toBeGreaterThan(0);
    },
  );

  it('reaches the admission bound and does not pass it', () => {
    expect(judgement.evaluations['admission-bound']).toBeGreaterThan(10);
    expect(judgement.overshoot['read']).toBeGreaterThan(0.9);
    expect(judgement.overshoot['read']).toBeLessThanOrEqual(1);
  });
});

describe('every invariant', () => {
  it('has a history that breaks it', () => {
    expect(Object.keys(brokenBy).sort()).toEqual(invariants.map(({ name }) => name).sort());
  });

  for (const [name, cases] of Object.entries(brokenBy)) {
    it.each(cases)(`${name} is broken by %s`, (_title, run) => {
      const { broken, violations } = run();
      expect(broken).toContain(name);
      const message = violations.find(({ invariant }) => invariant === name)?.message;
      expect(message).toMatch(/^.+[.]?$/);
    });
  }
});

describe('what is forgiven', () => {
  it('is a store that is unavailable while a fault acts, and shortly after', () => {
    const { violations } = play(
      (run) => {
        run.fault(blackHole);
        run.check({ atMs: 1500, isUnsent: true, takesMs: 50 });
        run.fault(blackHole, 'end');
        run.check({ atMs: 2500, isUnsent: true });
      },
      { faults: [blackHole] },
    );
    expect(violations).toEqual([]);
  });

  it('is a store that is unavailable for as long as the fault lasts', () => {
    const long: Fault = { ...blackHole, durationMs: 20_000 };
    const { violations } = play(
      (run) => {
        run.fault(long);
        run.check({ atMs: 15_000, isUnsent: true });
        run.fault(long, 'end');
        run.check({ atMs: 25_500, isUnsent: true, takesMs: 10 });
      },
      { faults: [long] },
    );
    expect(violations).toEqual([]);
  });

  it('is the first check long after a black hole, as nothing else can find out', () => {
    const idle = (checks: number) =>
      play(
        (run) => {
          run.fault(blackHole);
          run.fault(blackHole, 'end');
          for (let count = 0; count < checks; count += 1) {
            run.check({ atMs: 20_000 + count * 10_000, isUnsent: true, takesMs: 50 });
          }
        },
        { faults: [blackHole] },
      );
    expect(idle(1).violations).toEqual([]);
    expect(idle(2).broken).toContain('recovery-after-heal');
  });

  it('is not another replica that is unavailable meanwhile', () => {
    const { broken } = play(
      (run) => {
        run.fault(blackHole);
        run.check({ atMs: 1500, isUnsent: true, host: 'replica-1' });
      },
      { faults: [blackHole] },
    );
    expect(broken).toContain('no-wrongful-refusal');
  });

  it('is a late answer of a process that was paused, until it goes on', () => {
    const pause: Fault = { kind: 'pause', id: 1, atMs: 110, durationMs: 300, host: 'replica-0' };
    const paused = (takesMs: number) =>
      play(
        (run) => {
          run.fault(pause);
          run.check({ atMs: 100, takesMs });
        },
        { faults: [pause] },
      );
    expect(paused(310).violations).toEqual([]);
    expect(paused(320).broken).toContain('settles-once-within-deadline');
  });

  it('is a full bucket after the store has lost its data, once', () => {
    const { violations, reached } = play((run) => {
      for (let count = 0; count < 6; count += 1) run.check({ atMs: 100 });
      run.lose(200);
      for (let count = 0; count < 6; count += 1) run.check({ atMs: 300 });
    });
    expect(violations).toEqual([]);
    expect(reached['store-lost-data']).toBe(1);
  });

  it('is a key that expired while the store clock was ahead', () => {
    const ahead: Fault = { kind: 'clock-step', id: 1, atMs: 150, host: 'redis', ms: 100_000 };
    const back: Fault = { ...ahead, id: 2, atMs: 160, ms: -100_000 };
    const { violations, broken } = play(
      (run) => {
        for (let count = 0; count < 6; count += 1) run.check({ atMs: 100 });
        run.fault(ahead);
        run.store.clear();
        run.fault(back);
        for (let count = 0; count < 6; count += 1) run.check({ atMs: 200 });
      },
      { faults: [ahead, back] },
    );
    expect(violations).toEqual([]);
    expect(broken).toEqual([]);
  });

  it('is one script more after each NOSCRIPT', () => {
    const noScript = (scripts: number) =>
      play((run) => {
        const operation = run.begin(100);
        for (let count = 0; count < scripts; count += 1) {
          run.sent(operation, 100 + count);
          if (count === 0) run.executed(operation, 100 + count, true);
        }
      }).broken;
    expect(noScript(2)).not.toContain('one-script-per-decision');
    expect(noScript(3)).toContain('one-script-per-decision');
  });
});

/** One check and then so many that it is let go: it is finished, and nothing may happen to it again. */
function checkAmongMany(run: SyntheticRun): number {
  const operation = run.check({ atMs: 100 });
  for (let index = 1; index <= 600; index += 1) run.check({ atMs: 100 + index * 10 });
  return operation;
}
