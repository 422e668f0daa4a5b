import type * as contract from '@wardline/contract/account/second-factor.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { renderSVG } from 'uqr';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { openClosedFacilities } from './factor-rule.ts';
import type { RecoveryCodes } from './recovery-codes.ts';
import { factorChangeJob, findTotp, lockUser, replaceRecoveryCodes } from './second-factor-queries.ts';
import { newTotpSecret, type Totp } from './totp.ts';

export interface SetUpTotpDeps {
  readonly totp: Totp;
  readonly recoveryCodes: RecoveryCodes;
  readonly identityChanged: (userId: string) => void | Promise<void>;
}

/** Makes a secret that counts once a code of it was given; the app that counts now goes on until then. */
export function beginTwoFactor({ totp }: SetUpTotpDeps) {
  return async (ctx: RequestContext): Promise<ReplyOf<typeof contract.beginTwoFactor>> => {
    const { userId } = ctx.actor;
    const waiting = { new_secret: totp.seal(userId, newTotpSecret()), new_secret_at: sql<Date>`now()` };
    await ctx.write('second_factor.begin', async (tx) => {
      await tx
        .insertInto('totp_factors')
        .values({ user_id: userId, ...waiting })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(waiting))
        .execute();
      return { result: undefined, audit: { objectType: 'user', objectId: userId } };
    });
    return {};
  };
}

export function getTwoFactorQrCode({ totp }: SetUpTotpDeps) {
  return async (ctx: RequestContext): Promise<ReplyOf<typeof contract.getTwoFactorQrCode>> => {
    const { userId, email } = ctx.actor;
    const url = totp.address(userId, await getWaitingSecret(ctx), email);
    return { svg: renderSVG(url), url };
  };
}

export function getTwoFactorSecret({ totp }: SetUpTotpDeps) {
  return async (ctx: RequestContext): Promise<ReplyOf<typeof contract.getTwoFactorSecret>> => ({
    secretKey: totp.secretKey(ctx.actor.userId, await getWaitingSecret(ctx)),
  });
}

/** A secret is shown until it counts, and never again. */
async function getWaitingSecret({ actor, db }: RequestContext): Promise<Buffer> {
  const secret = (await findTotp(db, actor.userId))?.new_secret ?? null;
  if (secret === null) throw new AppError('not_found');
  return secret;
}

/** The secret that waits counts from now on, in the place of the one before; its first code is used by that. */
export function confirmTwoFactor({ identityChanged, totp, recoveryCodes }: SetUpTotpDeps) {
  return async (
    ctx: RequestContext,
    { body }: { body: BodyOf<typeof contract.confirmTwoFactor> },
  ): Promise<ReplyOf<typeof contract.confirmTwoFactor>> => {
    const { userId, credential } = ctx.actor;
    const secret = (await findTotp(ctx.db, userId))?.new_secret ?? null;
    const step = secret === null ? null : totp.stepOf(userId, secret, body.code);
    if (secret === null || step === null) throw wrongCode();
    const codes = recoveryCodes.make();
    const fresh = await ctx.write('second_factor.add', async (tx) => {
      await lockUser(tx, userId);
      const { numUpdatedRows } = await tx
        .updateTable('totp_factors')
        .set({ secret, confirmed_at: sql`now()`, last_step: step, new_secret: null, new_secret_at: null })
        .where('user_id', '=', userId)
        .where('new_secret', '=', secret)
        .executeTakeFirst();
      // Another tab confirmed it, or began anew.
      if (numUpdatedRows === 0n) throw wrongCode();
      const kept = await tx.selectFrom('recovery_codes').select('user_id').where('user_id', '=', userId).execute();
      const made = kept.length > 0 ? [] : codes;
      if (made.length > 0) await replaceRecoveryCodes(tx, { userId, codes: made, hashOf: recoveryCodes.hashOf });
      const publishToAll = await openClosedFacilities(tx, ctx.actor);
      await enqueueJob(tx, factorChangeJob(userId, 'app_added'));
      return {
        result: made,
        audit: { objectType: 'user', objectId: userId, detail: { factor: 'totp' } },
        publishToAll,
        afterCommit: () => identityChanged(userId),
      };
    });
    recoveryCodes.show(credential.key, fresh);
    return { recovery_codes: fresh };
  };
}

function wrongCode(): AppError {
  return invalidField(
    'code',
    'This code is not right. Check the clock of your phone and enter the code that shows now.',
  );
}
