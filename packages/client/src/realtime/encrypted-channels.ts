// A chunk of its own: NaCl is large, and comes with the first encrypted channel.
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { authorizeChannel } from '@wardline/contract/realtime.ts';
import type Echo from 'laravel-echo';
import nacl from 'tweetnacl';
import { transportError } from '#/http/api-error.ts';
import type { TransportEvents } from './transport.ts';

const heard = new WeakSet<object>();

/** Subscribes to an encrypted channel by its name on the wire; what is said on it arrives in plain words. */
export function joinEncrypted(echo: Echo<'reverb'>, name: string, { onFrame }: Pick<TransportEvents, 'onFrame'>): void {
  const { pusher } = echo.connector;
  // What the build of pusher-js with encryption does when it starts. So one build and one socket serve all kinds of channels.
  pusher.config.nacl = nacl;
  echo.encryptedPrivate(name.slice('private-encrypted-'.length));
  const channel = pusher.subscribe(name);
  if (heard.has(channel)) return;
  heard.add(channel);
  channel.bind_global((event: string, data: unknown) => {
    if (!event.startsWith('pusher')) onFrame({ event, channel: name, data });
  });
}

/** The answer, where it has the channel's secret. Throws where it has none, which pusher-js tells listeners of the channel only. */
export function requireSecret(reply: ReplyOf<typeof authorizeChannel>): ReplyOf<typeof authorizeChannel> {
  if (reply.shared_secret !== undefined) return reply;
  throw transportError('misconfigured', 'An encrypted channel was authorised without its secret.');
}
