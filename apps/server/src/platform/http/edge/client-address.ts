import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * The address a socket comes from. Each trusted proxy appends the address it saw to X-Forwarded-For, so the client's is
 * as many places from the right as there are trusted proxies; what stands further left is the client's own claim.
 */
export function clientAddress(request: IncomingMessage, trustedProxyHops: number): string {
  const direct = request.socket.remoteAddress ?? '';
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return trustedProxyHops === 0 ? direct : (forwarded.at(-trustedProxyHops) ?? direct);
}

/** What one subscriber of a network can vary is cut off: IPv6 to its /64; an IPv4 address inside IPv6 becomes IPv4. */
export function placeOf(ip: string): string {
  const address = ip.split('%')[0] ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The neighbourhood of an address: IPv4 to its /24, IPv6 to its /64. */
export function neighbourhoodOf(ip: string): string {
  const place = placeOf(ip);
  return place.includes(':') ? place : `${place.split('.').slice(0, 3).join('.')}.0/24`;
}

function groupsOf(address: string): string[] {
  const [before = '', after] = address.toLowerCase().split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail];
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
