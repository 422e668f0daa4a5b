import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for an address of the public Internet. Loopback, private, link-local and shared ranges, what is reserved, and
 * every IPv6 form that carries an IPv4 address inside (mapped, NAT64, 6to4, Teredo) are not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}
