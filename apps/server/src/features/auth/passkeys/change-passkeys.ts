import type * as contract from '@wardline/contract/account/passkeys.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { mustKeepFactor } from '#/features/auth/second-factor/factor-rule.ts';
import { factorChangeJob, lockUser } from '#/features/auth/second-factor/second-factor-queries.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { type PasskeyDeps, requireParty } from './add-passkey.ts';
import { SHOWN, toPasskey } from './passkey-queries.ts';

/** Where browsers give this installation no passkeys there is no such list, and clients offer none. */
export function listPasskeys({ relyingParty }: Pick<PasskeyDeps, 'relyingParty'>) {
  return async ({ actor, db }: RequestContext): Promise<ReplyOf<typeof contract.listPasskeys>> => {
    requireParty(relyingParty());
    const rows = await db
      .selectFrom('passkeys')
      .select(SHOWN)
      .where('user_id', '=', actor.userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return { data: rows.map(toPasskey) };
  };
}

/** Anybody else's does not exist. */
export async function renamePasskey(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<typeof contract.renamePasskey>; body: BodyOf<typeof contract.renamePasskey> },
): Promise<ReplyOf<typeof contract.renamePasskey>> {
  return ctx.write('passkey.rename', async (tx) => {
    const row = await tx
      .updateTable('passkeys')
      .set({ name: body.name })
      .where('id', '=', params.passkey)
      .where('user_id', '=', ctx.actor.userId)
      .returning(SHOWN)
      .executeTakeFirst();
    if (!row) throw new AppError('not_found');
    return { result: toPasskey(row), audit: { objectType: 'passkey', objectId: row.id } };
  });
}

export function removePasskey({ identityChanged }: Pick<PasskeyDeps, 'identityChanged'>) {
  return async (
    ctx: RequestContext,
    { params }: { params: ParamsOf<typeof contract.removePasskey> },
  ): Promise<undefined> => {
    const { userId } = ctx.actor;
    await ctx.write('passkey.remove', async (tx) => {
      await lockUser(tx, userId);
      const { numDeletedRows } = await tx
        .deleteFrom('passkeys')
        .where('id', '=', params.passkey)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new AppError('not_found');
      await mustKeepFactor(tx, userId);
      await enqueueJob(tx, factorChangeJob(userId, 'passkey_removed'));
      return {
        result: undefined,
        audit: { objectType: 'passkey', objectId: params.passkey },
        afterCommit: () => identityChanged(userId),
      };
    });
  };
}
