import type { endTwoFactor as endpoint } from '@wardline/contract/account/second-factor.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { SHORTEST_PASSWORD } from '@wardline/contract/values.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { mustKeepFactor } from './factor-rule.ts';
import { deleteRecoveryCodes, factorChangeJob, hasSecondFactor, lockUser } from './second-factor-queries.ts';
import type { SetUpTotpDeps } from './set-up-totp.ts';

/** Removes the authenticator app, also one that was never confirmed. */
export function endTwoFactor({ identityChanged }: Pick<SetUpTotpDeps, 'identityChanged'>) {
  return async (ctx: RequestContext): Promise<ReplyOf<typeof endpoint>> => {
    const { userId } = ctx.actor;
    await ctx.write('second_factor.remove', async (tx) => {
      await lockUser(tx, userId);
      const removed = await tx
        .deleteFrom('totp_factors')
        .where('user_id', '=', userId)
        .returning('confirmed_at')
        .executeTakeFirst();
      if (!removed?.confirmed_at) return { result: undefined, audit: null };
      await settleWithout(tx, userId);
      await mustKeepFactor(tx, userId);
      await enqueueJob(tx, factorChangeJob(userId, 'app_removed'));
      return {
        result: undefined,
        audit: { objectType: 'user', objectId: userId, detail: { factor: 'totp' } },
        afterCommit: () => identityChanged(userId),
      };
    });
    return {};
  };
}

/** After a factor was removed: what only counts with one goes too, and a password that is too short alone refuses it. */
async function settleWithout(tx: DatabaseTransaction, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return;
  const { has_short_password: isShort } = await tx
    .selectFrom('users')
    .select('has_short_password')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (isShort) {
    const rule = `a password alone needs at least ${SHORTEST_PASSWORD} characters`;
    throw invalidField('password', `Change your password first: ${rule}, and yours is shorter.`);
  }
  await deleteRecoveryCodes(tx, userId);
}
