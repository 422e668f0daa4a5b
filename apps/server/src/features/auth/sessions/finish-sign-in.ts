import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import {
  type FollowedRegistrationDeps,
  findFollowed,
  joinAsInvited,
  type Registration,
} from '#/features/auth/registration/followed-registration.ts';
import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { startSession } from './start-session.ts';

export interface FinishSignInDeps extends FollowedRegistrationDeps {
  readonly check: CredentialCheck;
  readonly endSessions: EndSessions;
}

interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly remember: boolean;
  /** Whose mailed link was followed in this browser; looked up where it is left out. */
  readonly registration?: Registration | null;
  /** The account was made of that registration just now. */
  readonly isNew?: boolean;
  /** By what, beside the password. */
  readonly second?: string;
  /** At which provider, where that stands in for the password. */
  readonly provider?: { readonly id: string; readonly issuer: string };
  /** First in the transaction: makes sure that what was checked still holds. */
  readonly confirm: (tx: Transaction) => Promise<void>;
}

/** All steps of a sign-in are done: a session under a new id, a device that is known from now on. */
export async function finishSignIn(
  parts: FinishSignInDeps,
  ctx: RequestContext<Actor | null>,
  signedIn: SignedIn,
): Promise<void> {
  const { check, endSessions } = parts;
  const { userId, email, remember, second, provider, isNew = false, confirm } = signedIn;
  const registration = signedIn.registration === undefined ? await findFollowed(parts, ctx) : signedIn.registration;
  const session = await ctx.write('session.start', async (tx) => {
    await confirm(tx);
    const hasGivenFactor = second !== undefined;
    const factorIssuer = (hasGivenFactor && provider?.issuer) || null;
    const started = await startSession(tx, ctx, { userId, remember, hasGivenFactor, factorIssuer });
    const detail = { remember, ...(hasGivenFactor && { second }), ...(provider && { provider: provider.id }) };
    return {
      result: started,
      audit: { actorId: userId, objectType: 'user', objectId: userId, detail },
      afterCommit: () => endSessions(started.endedKeys),
    };
  });
  ctx.http.startSession(session.id, session.maxAgeS);
  ctx.http.noteDevice(check.devices.add(ctx.http.device, email));
  if (registration?.email === email && !isNew) await joinAsInvited(parts, ctx, { registration, userId });
  if (ctx.http.followedLink !== null) ctx.http.noteFollowedLink(null);
}
