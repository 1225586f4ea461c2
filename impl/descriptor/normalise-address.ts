// The client address as a key. One machine owns a whole IPv6 /64, so that is what is counted;
// an IPv4-mapped IPv6 address is the IPv4 address. Which address is the client's (the socket's, or a
// forwarded one when the peer is a trusted proxy) was decided by whoever built the descriptor.

import { isIPv4, isIPv6 } from 'node:net';

/**
 * The key form of an address: dotted IPv4, or the four groups of an IPv6 /64 followed by `::/64`.
 * Zone ids are dropped. Text that is no address is answered as it is: it still keys a bucket.
 */
export function normaliseAddress(address: string): string {
  if (isIPv4(address)) {
    return address;
  }
  const bare = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/s, '');
  if (!isIPv6(bare)) {
    return isIPv4(bare) ? bare : address;
  }
  const groups = expandGroups(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** The eight 16-bit groups of a valid IPv6 address. */
function expandGroups(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = parseGroups(head);
  if (tail === undefined) {
    return before;
  }
  const after = parseGroups(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function parseGroups(text: string): number[] {
  if (text === '') {
    return [];
  }
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) {
      return [Number.parseInt(group, 16)];
    }
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
