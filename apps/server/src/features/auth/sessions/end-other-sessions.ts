import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { endCredentialsOf, keysOf } from './end-sessions.ts';

/** Ends every session and token but the one of this request. */
export function endOtherSessions({ endSessions }: { readonly endSessions: EndSessions }) {
  return async (ctx: RequestContext): Promise<undefined> => {
    const { userId, credential } = ctx.actor;
    await ctx.write('session.end_others', async (tx) => {
      const ended = await endCredentialsOf(tx, { userId, keep: Buffer.from(credential.key, 'hex') });
      const audit = { objectType: 'user', objectId: userId, detail: { ended: ended.length } };
      return {
        result: undefined,
        audit: ended.length > 0 ? audit : null,
        afterCommit: () => endSessions(keysOf(ended)),
      };
    });
  };
}
