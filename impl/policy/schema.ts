// The shape of a policy document, as written by an operator. It says nothing of arithmetic: whether
// the numbers fit the script is the compiler's business.

import { z } from 'zod';
import { parseRate, RATE_EXPECTED } from './rate.ts';

/** The parts of a descriptor a bucket can be kept by. */
export const DIMENSIONS = [
  'tenant',
  'user',
  'token',
  'method',
  'route',
  'operation',
  'region',
  'address',
] as const;

export type Dimension = (typeof DIMENSIONS)[number];

const METHOD = /^[A-Za-z]{1,20}$/;
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MOST_LIMITS = 1000;

const matchSchema = z.strictObject({
  /** An HTTP method; matched without regard to case. */
  method: z.string().regex(METHOD, { error: 'an HTTP method such as GET' }).optional(),
  /** A route template such as `/orders/:id`; a last segment `*` matches everything below. */
  route: z
    .string()
    .refine(isRouteTemplate, {
      error: 'a route template such as /orders/:id, with * only as the last segment',
    })
    .optional(),
});

const storeFailureSchema = z.strictObject({
  posture: z.literal('closed', { error: 'closed' }),
  reason: z.string({ error: 'a sentence' }).optional(),
});

export const limitSchema = z.strictObject({
  /** Names the limit in decisions and in the store's keys. */
  id: z.string({ error: 'a name' }).regex(ID, {
    error:
      'a name of letters, digits, ".", "_" and "-", at most 64, starting with a letter or digit',
  }),
  match: matchSchema.optional(),
  /** What a bucket is kept by; an empty list is one bucket for everybody. */
  key: z
    .array(z.enum(DIMENSIONS, { error: `one of ${DIMENSIONS.join(', ')}` }), {
      error: 'a list of dimensions such as [tenant, user]',
    })
    .refine((key) => new Set(key).size === key.length, { error: 'each dimension once' }),
  algorithm: z.literal('token-bucket', { error: 'token-bucket' }).default('token-bucket'),
  rate: z
    .string({ error: RATE_EXPECTED })
    .refine((rate) => parseRate(rate) !== undefined, { error: RATE_EXPECTED }),
  /** The bucket's capacity in whole tokens; by default the tokens of the rate. 0 blocks all. */
  burst: z
    .int({ error: 'a whole number of tokens, 0 or more' })
    .min(0, { error: 'a whole number of tokens, 0 or more' })
    .optional(),
  /** What the limit is there for: documentation that travels with it. */
  protects: z.string({ error: 'a phrase' }).optional(),
  tolerance: z.literal('exact', { error: 'exact' }).optional(),
  onStoreFailure: storeFailureSchema.optional(),
});

export const policySchema = z.strictObject(
  {
    /** Rises by one with every change of limits, so that replicas on two documents never mint. */
    revision: z
      .int({ error: 'a positive whole number' })
      .min(1, { error: 'a positive whole number' })
      .default(1),
    limits: z
      .array(limitSchema, { error: 'a list of limits' })
      .max(MOST_LIMITS, { error: `at most ${MOST_LIMITS} limits` }),
  },
  { error: 'a document with a list "limits"' },
);

/** A policy document as plain data. */
export type PolicyDocument = z.input<typeof policySchema>;
export type LimitDocument = z.output<typeof limitSchema>;

function isRouteTemplate(route: string): boolean {
  if (!route.startsWith('/') || route.length > 1000) {
    return false;
  }
  const segments = route.slice(1).split('/');
  return segments.every((segment, index) => {
    const isLast = index === segments.length - 1;
    return segment === '*' ? isLast : /^(?::[A-Za-z_][A-Za-z0-9_]*|[^:*\s?#]*)$/.test(segment);
  });
}
