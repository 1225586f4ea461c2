// Paths and route templates, read as the specification says: two spellings of one path are the same
// path, so nobody gets a second bucket by writing a slash twice. The query is not part of a path.

/**
 * The segments of a path after normalisation: duplicate and trailing slashes go, dot segments are
 * resolved, percent-encoded unreserved characters are decoded and other encodings are written in
 * upper case (RFC 3986, 6.2.2). An encoded slash stays encoded: it separates nothing.
 */
export function splitPath(path: string): readonly string[] {
  const segments: string[] = [];
  for (const raw of withoutQuery(path).split('/')) {
    const segment = normaliseEncoding(raw);
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

function withoutQuery(path: string): string {
  if (!path.includes('?') && !path.includes('#')) return path;
  return path.slice(0, path.search(/[?#]/));
}

/** Whether a path's segments fit a template's; `:name` and `*` stand for exactly one segment. */
export function isRouteMatch(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => isParameter(part) || part === segments[index])
  );
}

function isParameter(part: string): boolean {
  return part === '*' || part.startsWith(':');
}

function normaliseEncoding(segment: string): string {
  if (!segment.includes('%')) return segment;
  return segment.replace(/%([0-9a-fA-F]{2})/g, (triplet, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : triplet.toUpperCase();
  });
}
