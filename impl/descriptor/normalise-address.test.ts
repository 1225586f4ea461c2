import { describe, expect, it } from 'vitest';
import { normaliseAddress } from './normalise-address.ts';

describe('an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['[::ffff:203.0.113.9]', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['unix:', 'unix:'],
    ['', ''],
  ])('%s is keyed as %s', (address, expected) => {
    expect(normaliseAddress(address)).toBe(expected);
  });

  it('differs between neighbouring /64 networks', () => {
    expect(normaliseAddress('2001:db8:1:2::1')).not.toBe(normaliseAddress('2001:db8:1:3::1'));
  });
});
