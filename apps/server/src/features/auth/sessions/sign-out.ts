import { endCredential } from '#/features/auth/account/credential-queries.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { newSessionId } from '#/platform/http/session-cookie.ts';
import type { EndSessions } from './end-sessions.ts';

/** Ends the session or token of this request; a browser goes on as a guest under a new id. */
export function signOut({ endSessions }: { readonly endSessions: EndSessions }) {
  return async (ctx: RequestContext): Promise<undefined> => {
    const { kind, key } = ctx.actor.credential;
    await ctx.write('session.end', async (tx) => {
      const hasEnded = await endCredential(tx, kind, Buffer.from(key, 'hex'));
      return {
        result: undefined,
        audit: hasEnded ? { objectType: 'user', objectId: ctx.actor.userId, detail: { kind } } : null,
        afterCommit: () => endSessions([key]),
      };
    });
    if (kind === 'session') ctx.http.startSession(newSessionId(), null);
  };
}
