import type { forgotPassword as endpoint } from '@wardline/contract/account/account.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { AccountLimits } from '#/features/auth/account/account-limits.ts';
import { auditedEmail } from '#/features/auth/account/audited-email.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';

interface ForgotPasswordDeps {
  readonly appKey: Buffer;
  readonly limits: AccountLimits;
}

/** The same work and answer for every address: whether it is known is looked up by the job. */
export function forgotPassword({ appKey, limits }: ForgotPasswordDeps) {
  return async (
    ctx: RequestContext<Actor | null>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    const { email } = body;
    ctx.http.noteQuota(await limits.resetLinks.take(placeOf(ctx.http.ip)));
    await ctx.write('password.forgot', async (tx) => {
      await enqueueJob(tx, { kind: 'auth.forgot_password', payload: { email } });
      return { result: undefined, audit: { detail: auditedEmail(appKey, email) } };
    });
    return { status: 'If there is an account with this address, a link is on its way.' };
  };
}
