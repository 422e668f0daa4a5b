import type { resetPassword as endpoint } from '@wardline/contract/account.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import { deleteEmailChange } from '#/features/auth/account/account-queries.ts';
import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import type { CheckNewPassword } from '#/features/auth/credentials/new-password.ts';
import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { placeOf } from '#/platform/http/client-address.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { takeResetLink, voidResetLinks } from './password-reset-queries.ts';
import { replacePassword } from './replace-password.ts';

interface ResetPasswordDeps {
  readonly check: CredentialCheck;
  readonly checkNewPassword: CheckNewPassword;
  readonly endSessions: EndSessions;
  readonly limits: AccountLimits;
  readonly nudgeJobs: () => void;
}

/**
 * Sets a password by a mailed link. Every session and token ends, and an address that waits is forgotten: whoever had the
 * account before may have asked for it.
 */
export function resetPassword({ check, checkNewPassword, endSessions, limits, nudgeJobs }: ResetPasswordDeps) {
  return async (
    ctx: RequestContext<Actor | null>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const { token, email, password } = body;
    await limits.resets.take(placeOf(ctx.http.ip));
    checkNewPassword(password, { email });
    // Before the link is looked at, so that a wrong one takes as long.
    const hash = await check.passwords.hash(password);
    await ctx.write('password.reset', async (tx) => {
      const account = await takeResetLink(tx, { tokenHash: hashSecret(token), email });
      if (!account) throw invalidField('token', 'This link is no longer valid. Ask for a new one.');
      const userId = account.id;
      // Thrown here, it gives the link its force back.
      checkNewPassword(password, { email, name: account.name, facilityNames: account.facility_names });
      await voidResetLinks(tx, userId);
      await deleteEmailChange(tx, userId);
      const endedKeys = await replacePassword(tx, { userId, hash, keep: null });
      return {
        result: undefined,
        audit: { actorId: userId, objectType: 'user', objectId: userId, detail: { ended: endedKeys.length } },
        afterCommit: () => {
          endSessions(endedKeys);
          nudgeJobs();
        },
      };
    });
    return { status: 'Your password is set. Sign in with it.' };
  };
}
