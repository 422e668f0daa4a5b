import type { changePassword as endpoint } from '@wardline/contract/account/account.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { SHORTEST_PASSWORD } from '@wardline/contract/values.ts';
import { voidResetLinks } from '#/features/auth/account/account-queries.ts';
import { lockAccount } from '#/features/auth/account/credential-queries.ts';
import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import { confirmOwnPassword, notYourPassword } from '#/features/auth/credentials/confirm-own-password.ts';
import type { CheckNewPassword } from '#/features/auth/credentials/new-password.ts';
import { hasSecondFactor } from '#/features/auth/second-factor/second-factor-queries.ts';
import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { replacePassword } from './replace-password.ts';

interface ChangePasswordDeps {
  readonly check: CredentialCheck;
  readonly checkNewPassword: CheckNewPassword;
  readonly endSessions: EndSessions;
}

/** Sets a new password. This session goes on; every other session and every token ends. */
export function changePassword({ check, checkNewPassword, endSessions }: ChangePasswordDeps) {
  return async (ctx: RequestContext, { body }: { body: BodyOf<typeof endpoint> }): Promise<undefined> => {
    const { userId, email, name, memberships, credential } = ctx.actor;
    const account = await confirmOwnPassword(check, ctx, body.current_password);
    const facilityNames = memberships.map((membership) => membership.facilityName);
    const owner = { email, name, facilityNames };
    checkNewPassword(body.password, { ...owner, hasSecondFactor: await hasSecondFactor(ctx.db, userId) });
    const hash = await check.passwords.hash(body.password);
    const isShort = body.password.length < SHORTEST_PASSWORD;
    await ctx.write('password.change', async (tx) => {
      // It was changed elsewhere while this one was hashed.
      if (!(await lockAccount(tx, account))) throw notYourPassword();
      // The factor may be gone by now.
      checkNewPassword(body.password, { ...owner, hasSecondFactor: await hasSecondFactor(tx, userId) });
      await voidResetLinks(tx, userId);
      const endedKeys = await replacePassword(tx, { userId, hash, isShort, keep: Buffer.from(credential.key, 'hex') });
      return {
        result: undefined,
        audit: { objectType: 'user', objectId: userId, detail: { ended: endedKeys.length } },
        afterCommit: () => endSessions(endedKeys),
      };
    });
  };
}
