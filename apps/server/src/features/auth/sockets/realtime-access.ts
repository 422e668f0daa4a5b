import { EVERY_ABILITY } from '@wardline/contract/account/personal-tokens.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';

/** What signing in and out needs of the realtime server; the composition root adapts the gateway to it. */
export interface RealtimeAccess {
  isConnected(socketId: string): boolean;
  /** Binds a socket to a session. False if there is no such socket or it is bound to another. */
  identify(
    socketId: string,
    identity: { readonly userId: string; readonly sessionKey: string; readonly isWatched?: boolean },
  ): boolean;
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
export function bindSocket(realtime: RealtimeAccess, socketId: string, { userId, credential }: Actor): void {
  // Not a refusal of the person: the socket died while it was asked for, and the next one asks again.
  if (!realtime.isConnected(socketId)) throw new AppError('conflict', { message: 'This socket is not connected.' });
  const { key: sessionKey, abilities } = credential;
  const isWatched = !abilities.includes(EVERY_ABILITY);
  if (!realtime.identify(socketId, { userId, sessionKey, isWatched })) throw new AppError('forbidden');
}
