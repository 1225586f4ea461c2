// Where the requests for one limit go: the method and the paths its `match` accepts. Only the part
// of a policy document that says so is read; whether the document is a good one is the limiter's
// business, and a later limit whose routes an earlier one takes gets no traffic of its own.

import { z } from 'zod';
import { type NameStyle, pathName } from './names.ts';

const documentSchema = z.looseObject({
  limits: z.array(
    z.looseObject({
      id: z.string(),
      match: z
        .looseObject({ method: z.string().optional(), route: z.string().optional() })
        .optional(),
    }),
  ),
});

export interface Target {
  readonly method: string;
  /** A path that fits the route; `pick(n)` gives a whole number from 0 below n. */
  readonly path: (pick: (below: number) => number, style: NameStyle | undefined) => string;
}

/** How many different values a parameter of a route takes. */
const parameterValues = 100;

/** Targets by limit id. Throws when the value is not a policy document at all. */
export function readTargets(policies: unknown): ReadonlyMap<string, Target> {
  const document = documentSchema.parse(policies);
  return new Map(document.limits.map((limit) => [limit.id, createTarget(limit.match ?? {})]));
}

interface Match {
  readonly method?: string | undefined;
  readonly route?: string | undefined;
}

function createTarget({ method, route }: Match): Target {
  return { method: method ?? 'GET', path: createPathMaker(route) };
}

function createPathMaker(route: string | undefined): Target['path'] {
  if (route === undefined) return (pick, style) => pathName(pick(parameterValues), style);
  const segments = route.split('/');
  if (!segments.some(isParameter)) return () => route;
  return (pick) =>
    segments
      .map((segment) => (isParameter(segment) ? String(pick(parameterValues) + 1) : segment))
      .join('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':') || segment === '*';
}
