// The lines of a trace file. A trace outlives the code that wrote it, so a reader takes what it
// knows and leaves the rest alone: fields it does not know are kept, lines of unknown type skipped.
// Only what a replay needs is demanded: the scenario and under what it ran.

import { z } from 'zod';
import { scenarioSchema } from '../scenario/scenario.ts';

/** Rises only when an older reader would misunderstand a newer file. */
export const traceFormat = 1;

const invariantName = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** What a replay should find: `passes`, or `fails <invariant>`. */
const expectSchema = z.string().refine(isExpectation, {
  error: '"passes" or "fails" and the name of an invariant',
});

export const headerSchema = z.looseObject({
  type: z.literal('header', { error: '"header", as the first line of a trace' }),
  format: z.literal(traceFormat, { error: `${traceFormat}, the format this version reads` }),
  seed: z.int().min(0),
  /** A subject's name, or the file whose export it is. */
  subject: z.string().min(1),
  mutant: z.string().optional(),
  transport: z.enum(['wire', 'direct']),
  client: z.literal([5, 6]),
  drive: z.enum(['sync', 'turns']),
  expect: expectSchema,
  /** SHA-256 over the code that ran; history digests compare only where it is the same. */
  codeDigest: z.string().optional(),
  /** Versions of node, the client and the like, by name; for people and for comparing digests. */
  versions: z.record(z.string(), z.string()).optional(),
  scenario: scenarioSchema,
});

export const eventLineSchema = z.looseObject({
  type: z.literal('event'),
  event: z.looseObject({ kind: z.string(), atUs: z.number() }),
});

export const verdictLineSchema = z.looseObject({
  type: z.literal('verdict'),
  violations: z.array(
    z.looseObject({ invariant: z.string(), atUs: z.number(), message: z.string() }),
  ),
});

export const digestsLineSchema = z.looseObject({
  type: z.literal('digests'),
  history: z.string(),
  verdict: z.string(),
});

export type TraceHeader = z.infer<typeof headerSchema>;
export type TraceEvent = z.infer<typeof eventLineSchema>['event'];
export type TraceViolation = z.infer<typeof verdictLineSchema>['violations'][number];

function isExpectation(text: string): boolean {
  return text === 'passes' || (text.startsWith('fails ') && invariantName.test(text.slice(6)));
}
