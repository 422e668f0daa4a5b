import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { extendEmailChange, findAddressToVerify } from './email-change-queries.ts';

interface SendVerificationDeps {
  readonly limits: AccountLimits;
}

/** Mails the link to the address that waits again, good for another day. */
export function sendVerification({ limits }: SendVerificationDeps) {
  return async (ctx: RequestContext): Promise<{ status: string }> => {
    const { userId } = ctx.actor;
    const address = await findAddressToVerify(ctx.db, userId);
    if (!address) return { status: 'Your address is verified.' };
    ctx.http.noteQuota(await limits.verificationLinks.take(userId));
    await ctx.write('email.link', async (tx) => {
      await extendEmailChange(tx, userId);
      await enqueueJob(tx, { kind: 'auth.verification', payload: { user_id: userId } });
      return { result: undefined, audit: { objectType: 'user', objectId: userId } };
    });
    return { status: `A link is on its way to ${address.email}.` };
  };
}
