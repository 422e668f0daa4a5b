import type { endSession as endpoint } from '@wardline/contract/account.ts';
import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { keysOf } from './end-sessions.ts';
import { endOwnCredential } from './session-queries.ts';

/** Ends one session or token of one's own, also the one of this request; anybody else's does not exist. */
export function endSession({ endSessions }: { readonly endSessions: EndSessions }) {
  return async (ctx: RequestContext, { params }: { params: ParamsOf<typeof endpoint> }): Promise<undefined> => {
    const { userId } = ctx.actor;
    const id = params.session;
    await ctx.write('session.end', async (tx) => {
      const ended = await endOwnCredential(tx, { userId, id });
      if (!ended) throw new AppError('not_found');
      return {
        result: undefined,
        audit: { objectType: 'session', objectId: id },
        afterCommit: () => endSessions(keysOf([ended])),
      };
    });
  };
}
