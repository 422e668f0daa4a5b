import type { Account, changeEmail as endpoint } from '@wardline/contract/account/account.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import { getAccountRow, toAccount } from '#/features/auth/account/account-queries.ts';
import { auditedEmail } from '#/features/auth/account/audited-email.ts';
import { lockAccount } from '#/features/auth/account/credential-queries.ts';
import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import { confirmOwnPassword, notYourPassword } from '#/features/auth/credentials/confirm-own-password.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { putEmailChange } from './email-change-queries.ts';

interface ChangeEmailDeps {
  readonly appKey: Buffer;
  readonly check: CredentialCheck;
  readonly limits: AccountLimits;
}

/**
 * Notes a new address, which counts once its link was followed. Whether somebody else has it is looked up by the job, so
 * that nobody learns it here.
 */
export function changeEmail({ appKey, check, limits }: ChangeEmailDeps) {
  return async (ctx: RequestContext, { body }: { body: BodyOf<typeof endpoint> }): Promise<Account> => {
    const { userId, email: currentEmail } = ctx.actor;
    const { email } = body;
    const account = await confirmOwnPassword(check, ctx, body.current_password);
    if (email === currentEmail) throw invalidField('email', 'This is your address already.');
    await limits.verificationLinks.take(userId);
    return ctx.write('email.change', async (tx) => {
      if (!(await lockAccount(tx, account))) throw notYourPassword();
      await putEmailChange(tx, { userId, email });
      for (const kind of ['auth.verification', 'auth.email_change_asked']) {
        await enqueueJob(tx, { kind, payload: { user_id: userId } });
      }
      return {
        result: toAccount(await getAccountRow(tx, userId)),
        audit: { objectType: 'user', objectId: userId, detail: auditedEmail(appKey, email) },
      };
    });
  };
}
