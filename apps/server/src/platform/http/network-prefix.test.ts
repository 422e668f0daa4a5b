import { describe, expect, it } from 'vitest';
import { neighbourhoodOf, placeOf } from './edge/client-address.ts';

describe('network prefixes', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64', '2001:db8:0:1::/64'],
    ['2001:DB8:0:1::5', '2001:db8:0:1::/64', '2001:db8:0:1::/64'],
    ['2001:0db8:0000:0001::5', '2001:db8:0:1::/64', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64', '0:0:0:0::/64'],
  ])('A39 reads %s as the place %s in the neighbourhood %s', (ip, place, neighbourhood) => {
    expect(placeOf(ip)).toBe(place);
    expect(neighbourhoodOf(ip)).toBe(neighbourhood);
  });
});
