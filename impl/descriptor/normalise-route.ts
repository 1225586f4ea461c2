// One path, one spelling. A client must not get a fresh bucket by writing a path another way that
// the service behind would understand as the same: duplicate and trailing slashes, dot segments,
// percent-encoded letters, a query (RFC 3986, 6.2.2). What it leaves out: upper and lower case are
// different paths, and a backslash is a character like others. For a service that ignores case or
// takes backslashes for slashes, the caller rewrites the route before the check.

/** Paths that are already in the one spelling: the common case, decided by one scan. */
const PLAIN = /^(?:\/[A-Za-z0-9_~:*-][A-Za-z0-9._~:*-]*)+$/;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/**
 * Normalises a path. The result starts with a slash, has no empty, `.` or `..` segment, no
 * trailing slash (but the root), no query; percent-encodings of unreserved characters
 * are decoded, others upper-cased. An encoded slash stays encoded: it does not separate segments.
 */
export function normaliseRoute(path: string): string {
  if (PLAIN.test(path)) {
    return path;
  }
  const bare = path.replace(/[?#].*$/s, '');
  const segments: string[] = [];
  for (const raw of bare.split('/')) {
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
  return segment.replace(/%([0-9A-Fa-f]{2})/g, (whole, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : whole.toUpperCase();
  });
}
