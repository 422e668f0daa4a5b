import { EVERY_ABILITY } from '@wardline/contract/account/personal-tokens.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';

/** What signing in and out needs of the realtime server; the composition root adapts the gateway to it. */
export interface RealtimeAccess {
  /** Binds a socket to a session, whichever server holds it. `unknown`: there is no such socket; `refused`: it is bound to another. */
  bind(
    socketId: string,
    identity: { readonly userId: string; readonly sessionKey: string; readonly isWatched?: boolean },
  ): Promise<'bound' | 'refused' | 'unknown'>;
  signChannel(socketId: string, channel: string, channelData?: string): string;
  /** What the members of an encrypted channel read it with. */
  channelSecret(channel: string): Buffer;
  signUser(socketId: string, userData: string): string;
  /** Closes the sockets of a session. */
  endSession(sessionKey: string): void;
  /** Closes all sockets of a person. */
  endUser(userId: string): void;
  /** Asks again for the right behind every subscription of a person. */
  recheck(filter: { readonly userId: string }): void | Promise<void>;
}

/** Binds a socket to the session that asks for it. A socket of another session is refused (403). */
export async function bindSocket(
  realtime: RealtimeAccess,
  socketId: string,
  { userId, credential }: Actor,
): Promise<void> {
  const { key: sessionKey, abilities } = credential;
  const isWatched = !abilities.includes(EVERY_ABILITY);
  const outcome = await realtime.bind(socketId, { userId, sessionKey, isWatched });
  // Not a refusal of the person: the socket died while it was asked for, and the next one asks again.
  if (outcome === 'unknown') throw new AppError('conflict', { message: 'This socket is not connected.' });
  if (outcome === 'refused') throw new AppError('forbidden');
}
