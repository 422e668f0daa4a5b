import type { signIn as endpoint } from '@wardline/contract/account/auth.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { type CheckedAccount, checkCredentials } from '#/features/auth/credentials/check-credentials.ts';
import { createAccount, findFollowed } from '#/features/auth/registration/followed-registration.ts';
import { hasSecondFactor } from '#/features/auth/second-factor/second-factor-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { AuditSubject, RequestContext } from '#/platform/http/context.ts';
import { newSessionId } from '#/platform/http/session-cookie.ts';
import { type FinishSignInDeps, finishSignIn } from './finish-sign-in.ts';
import { insertPendingSignIn } from './pending-sign-in.ts';

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
 * registration was followed before, its password makes the account. With a second factor nobody is signed in yet: the
 * browser gets an id under which the second step waits.
 */
export function signIn(parts: FinishSignInDeps) {
  return async (
    ctx: RequestContext<Actor | null>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const { email, password, remember = false } = body;
    const registration = await findFollowed(parts, ctx);
    const account = await checkCredentials(parts.check, ctx, { email, password, registration });
    const { userId, isNew, confirm } = account;
    if (registration?.email === email && isNew) await createAccount(parts, ctx, { registration, userId });
    if (!isNew && (await hasSecondFactor(ctx.db, userId))) {
      await askSecondStep(ctx, account, { remember });
      return { two_factor: true };
    }
    await finishSignIn(parts, ctx, { userId, email, remember, registration, isNew, confirm });
    return { two_factor: false };
  };
}

/** Half a sign-in: nobody is signed in before the second step (038). */
export async function askSecondStep(
  ctx: RequestContext<Actor | null>,
  { userId, confirm }: Pick<CheckedAccount, 'userId' | 'confirm'>,
  { remember, detail = {} }: { readonly remember: boolean; readonly detail?: AuditSubject['detail'] },
): Promise<void> {
  const sessionId = newSessionId();
  await ctx.write('session.challenge', async (tx) => {
    await confirm(tx);
    await insertPendingSignIn(tx, { sessionId, userId, remember });
    return { result: undefined, audit: { objectType: 'user', objectId: userId, detail } };
  });
  ctx.http.startGuestSession(sessionId);
}
