import type { IncomingMessage } from 'node:http';

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
