import type { signIn as endpoint } from '@wardline/contract/auth.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Actor } from '#/platform/authorise/actor.ts';
import type { RequestContext } from '#/platform/context.ts';
import { type CredentialCheck, checkCredentials } from './check-credentials.ts';
import type { EndSessions } from './end-sessions.ts';
import { startSession } from './sessions.ts';

export interface SignInDeps {
  readonly check: CredentialCheck;
  readonly endSessions: EndSessions;
}

/** Starts a session under a new id. Who was signed in before, as anybody, is signed out by it. */
export function signIn({ check, endSessions }: SignInDeps) {
  return async (
    ctx: RequestContext<Actor | null>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const account = await checkCredentials(check, ctx, body);
    const remember = body.remember ?? false;
    const { userId } = account;
    const session = await ctx.write('session.start', async (tx) => {
      await account.confirm(tx);
      const started = await startSession(tx, ctx, { userId, remember });
      return {
        result: started,
        audit: { actorId: userId, objectType: 'user', objectId: userId, detail: { remember } },
        afterCommit: () => endSessions(started.endedKeys),
      };
    });
    ctx.http.startSession(session.id, session.maxAgeS);
    return { two_factor: false };
  };
}
