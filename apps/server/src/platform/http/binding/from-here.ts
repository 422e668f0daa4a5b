import type { FastifyRequest } from 'fastify';
import { isLoopback } from '#/platform/config/read-config.ts';

const FORWARDING = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * A direct connection of this machine under a name of this machine. A proxy here speaks for strangers, and a name that
 * points to the loopback lets a page of another site ask (DNS rebinding).
 */
export function isFromHere({ raw, headers, hostname }: Pick<FastifyRequest, 'raw' | 'headers' | 'hostname'>): boolean {
  const address = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined);
  return isLoopback(address) && !isForwarded && isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
