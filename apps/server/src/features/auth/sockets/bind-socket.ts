import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RealtimeAccess } from './realtime-access.ts';

/** Binds a socket to the session that asks for it. A socket of another session is refused (403). */
export function bindSocket(realtime: RealtimeAccess, socketId: string, { userId, credential }: Actor): void {
  // Not a refusal of the person: the socket died while it was asked for, and the next one asks again.
  if (!realtime.isConnected(socketId)) throw new AppError('conflict', { message: 'This socket is not connected.' });
  if (!realtime.identify(socketId, { userId, sessionKey: credential.key })) throw new AppError('forbidden');
}
