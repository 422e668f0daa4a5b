import type { RealtimeAccess } from '#/features/auth/sockets/realtime-access.ts';
import type { Identify } from './identify.ts';

/** What follows the end of sessions in this process, after the commit: no request and no socket goes on under them. */
export type EndSessions = (keys: readonly string[]) => void;

export function createEndSessions(identify: Pick<Identify, 'forget'>, realtime: RealtimeAccess): EndSessions {
  return (keys) => {
    for (const key of keys) {
      identify.forget({ key });
      realtime.endSession(key);
    }
  };
}

/** The keys of sessions and tokens by the hashes that are stored of them. */
export function keysOf(hashes: readonly Buffer[]): string[] {
  return hashes.map((hash) => hash.toString('hex'));
}
