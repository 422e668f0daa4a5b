import type { signIn as endpoint } from '@wardline/contract/auth.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { type CredentialCheck, checkCredentials } from '#/features/auth/credentials/check-credentials.ts';
import {
  createAccount,
  type FollowedRegistrationDeps,
  findFollowed,
  joinAsInvited,
} from '#/features/auth/registration/followed-registration.ts';
import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { startSession } from './start-session.ts';

export interface SignInDeps extends FollowedRegistrationDeps {
  readonly check: CredentialCheck;
  readonly endSessions: EndSessions;
}

const YES = new Set<unknown>([1, '1', 'true', 'on', 'yes']);
const NO = new Set<unknown>([null, 0, '0', '', 'false', 'off', 'no']);

/** What Laravel's `boolean()` takes for yes and no; anything else is left to be refused. */
export function readRemember(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('remember' in body)) return body;
  const { remember } = body;
  if (!YES.has(remember) && !NO.has(remember)) return body;
  return { ...body, remember: YES.has(remember) };
}

/**
 * Starts a session under a new id; a browser that holds one already never comes here. Where the mailed link of a
 * registration was followed before, its password makes the account.
 */
export function signIn(parts: SignInDeps) {
  const { check, endSessions } = parts;
  return async (
    ctx: RequestContext<Actor | null>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const { email, password, remember = false } = body;
    const registration = await findFollowed(parts, ctx);
    const account = await checkCredentials(check, ctx, { email, password, registration });
    const { userId } = account;
    const isTheirs = registration?.email === email;
    if (isTheirs && account.isNew) await createAccount(parts, ctx, { registration, userId });
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
    ctx.http.noteDevice(check.devices.add(ctx.http.device, email));
    if (isTheirs && !account.isNew) await joinAsInvited(parts, ctx, { registration, userId });
    if (ctx.http.followedLink !== null) ctx.http.noteFollowedLink(null);
    return { two_factor: false };
  };
}
