// One path, one spelling. A client must not get a fresh bucket by writing a path another way that
// the service behind would understand as the same: duplicate and trailing slashes, dot segments,
// percent-encoded letters, backslashes, a query. What it leaves out: upper and lower case, which are
// different paths here; a service that ignores case should be given lower-cased routes.

/** Paths that are already in the one spelling: the common case, decided by one scan. */
const PLAIN = /^(?:\/[A-Za-z0-9_~:*-][A-Za-z0-9._~:*-]*)+$/;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;
const ORIGIN = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/**
 * Normalises a path or request target. The result starts with a slash, has no empty, `.` or `..`
 * segment, no trailing slash (but the root), no query; percent-encodings of unreserved characters
 * are decoded, others upper-cased. An encoded slash stays encoded: it does not separate segments.
 */
export function normaliseRoute(path: string): string {
  if (PLAIN.test(path)) {
    return path;
  }
  const bare = path.replace(ORIGIN, '').replace(/[?#].*$/s, '');
  const segments: string[] = [];
  for (const raw of bare.split(/[/\\]/)) {
    const segment = decodeSegment(raw);
    if (segment === '..') {
      segments.pop();
    } else if (segment !== '' && segment !== '.') {
      segments.push(segment);
    }
  }
  return `/${segments.join('/')}`;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) {
    return segment;
  }
  return segment.replace(/%([0-9A-Fa-f]{2})?/g, (whole, digits: string | undefined) => {
    if (digits === undefined) {
      return '%25';
    }
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : whole.toUpperCase();
  });
}
