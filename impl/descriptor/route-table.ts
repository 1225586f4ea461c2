// Finds the first entry, in file order, whose method and route template match a request. Built once
// per document: entries are split by method and by the first segment of their template, so a lookup
// looks only at those that could match. Nothing is cached per request, so nothing grows.

import { normaliseRoute } from './normalise-route.ts';

/** An entry of the table. Absent method or route: any. Routes are normalised templates. */
export interface RouteEntry {
  readonly method: string | undefined;
  readonly route: string | undefined;
}

export interface RouteTable<Entry> {
  /** The first matching entry. `route` is a path; it is normalised here. */
  find(method: string | undefined, route: string | undefined): Entry | undefined;
}

interface Candidate<Entry> {
  readonly entry: Entry;
  /** Whether the template fits a normalised path; absent when any path, or none, will do. */
  readonly fits: ((path: string) => boolean) | undefined;
}

/** Candidates in file order, by the first segment of the path; `others` for any other segment. */
interface Column<Entry> {
  readonly bySegment: ReadonlyMap<string, readonly Candidate<Entry>[]>;
  readonly others: readonly Candidate<Entry>[];
}

export function createRouteTable<Entry extends RouteEntry>(
  entries: readonly Entry[],
): RouteTable<Entry> {
  const methods = new Set(entries.map((entry) => entry.method ?? ''));
  const columns = new Map<string, Column<Entry>>();
  for (const method of methods) {
    columns.set(method, createColumn(entries, method));
  }
  const anyMethod = createColumn(entries, '');
  const needsRoute = entries.some((entry) => entry.route !== undefined);

  return {
    find(method, route) {
      const column = method === undefined ? anyMethod : findColumn(method);
      const path = route === undefined || !needsRoute ? undefined : normaliseRoute(route);
      const candidates =
        path === undefined
          ? column.others
          : (column.bySegment.get(firstSegment(path)) ?? column.others);
      for (const candidate of candidates) {
        if (candidate.fits === undefined || (path !== undefined && candidate.fits(path))) {
          return candidate.entry;
        }
      }
      return undefined;
    },
  };

  function findColumn(method: string): Column<Entry> {
    return columns.get(method) ?? columns.get(method.toUpperCase()) ?? anyMethod;
  }
}

function createColumn<Entry extends RouteEntry>(
  entries: readonly Entry[],
  method: string,
): Column<Entry> {
  const fitting = entries.filter((entry) => (entry.method ?? method) === method);
  const candidates = fitting.map((entry) => ({ entry, fits: compileTemplate(entry.route) }));
  const literals = new Set(candidates.map(({ entry }) => literalFirst(entry.route) ?? ''));
  const select = (segment: string | undefined) =>
    candidates.filter(({ entry }) => (literalFirst(entry.route) ?? segment) === segment);
  return {
    bySegment: new Map([...literals].map((segment) => [segment, select(segment)])),
    others: select(undefined),
  };
}

/** The template's first segment when it is a literal one. */
function literalFirst(route: string | undefined): string | undefined {
  const first = route === undefined ? ':' : firstSegment(route);
  return first.startsWith(':') || first === '*' ? undefined : first;
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

/** `:name` fits one segment, a last `*` everything at or below its parent. */
function compileTemplate(route: string | undefined): ((path: string) => boolean) | undefined {
  if (route === undefined) {
    return undefined;
  }
  if (!/[:*]/.test(route)) {
    return (path) => path === route;
  }
  const pattern = route
    .slice(1)
    .split('/')
    .map((segment) => {
      if (segment === '*') {
        return '(?:/.*)?';
      }
      return segment.startsWith(':')
        ? '/[^/]+'
        : `/${segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
    });
  const expression = new RegExp(`^${pattern.join('')}$`, 's');
  return (path) => expression.test(path);
}
