import type { resetPassword as endpoint } from '@wardline/contract/account/account.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { SHORTEST_PASSWORD } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import { deleteEmailChange, voidResetLinks } from '#/features/auth/account/account-queries.ts';
import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import type { CheckNewPassword } from '#/features/auth/credentials/new-password.ts';
import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { replacePassword } from './replace-password.ts';

interface ResetPasswordDeps {
  readonly check: CredentialCheck;
  readonly checkNewPassword: CheckNewPassword;
  readonly endSessions: EndSessions;
  readonly limits: AccountLimits;
}

/**
 * Sets a password by a mailed link. Every session and token ends, and an address that waits is forgotten: whoever had the
 * account before may have asked for it.
 */
export function resetPassword({ check, checkNewPassword, endSessions, limits }: ResetPasswordDeps) {
  return async (
    ctx: RequestContext<Actor | null>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const { token, email, password } = body;
    ctx.http.noteQuota(await limits.resets.take(placeOf(ctx.http.ip)));
    // What it has to be without a second factor is known once the link was looked at.
    checkNewPassword(password, { email, hasSecondFactor: true });
    // Before the link is looked at, so that a wrong one takes as long.
    const hash = await check.passwords.hash(password);
    const isShort = password.length < SHORTEST_PASSWORD;
    await ctx.write('password.reset', async (tx) => {
      const account = await takeResetLink(tx, { tokenHash: hashSecret(token), email });
      if (!account) throw invalidField('email', 'This link is no longer valid. Ask for a new one.');
      const userId = account.id;
      // Thrown here, it gives the link its force back.
      checkNewPassword(password, {
        ...{ email, name: account.name, facilityNames: account.facility_names },
        hasSecondFactor: account.has_second_factor,
      });
      await voidResetLinks(tx, userId);
      await deleteEmailChange(tx, userId);
      const endedKeys = await replacePassword(tx, { userId, hash, isShort, keep: null });
      return {
        result: undefined,
        audit: { actorId: userId, objectType: 'user', objectId: userId, detail: { ended: endedKeys.length } },
        afterCommit: () => endSessions(endedKeys),
      };
    });
    return { status: 'Your password is set. Sign in with it.' };
  };
}

interface ResetAccount {
  readonly id: string;
  readonly name: string;
  readonly facility_names: string[];
  readonly has_second_factor: boolean;
}

const resetAccounts = typedRows<ResetAccount>({
  id: 'string',
  name: 'string',
  facility_names: 'array',
  has_second_factor: 'boolean',
});

/** Takes the one use of a link. Of many at the same moment one gets it; the others wait for it and get nothing. */
async function takeResetLink(
  tx: DatabaseTransaction,
  { tokenHash, email }: { tokenHash: Buffer; email: string },
): Promise<ResetAccount | undefined> {
  const query = sql`
    delete from password_resets r using users u
    where r.token_hash = ${tokenHash} and r.expires_at > now()
      and u.id = r.user_id and u.email = ${email} and u.disabled_at is null
    returning u.id, u.name, array(
      select f.name from memberships m join facilities f on f.id = m.facility_id
      where m.user_id = u.id and m.ended_at is null) as facility_names,
      exists (select from totp_factors t where t.user_id = u.id and t.confirmed_at is not null) as has_second_factor`;
  return resetAccounts.first(tx, query);
}
