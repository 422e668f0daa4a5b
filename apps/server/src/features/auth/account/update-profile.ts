import type { updateProfile as endpoint } from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { describeUser } from './describe-user.ts';

/** What was said before keeps the name it was said under. */
export function updateProfile({
  identityChanged,
}: {
  readonly identityChanged: (userId: string) => void | Promise<void>;
}) {
  return async (ctx: RequestContext, { body }: { body: BodyOf<typeof endpoint> }): Promise<User> => {
    const { userId } = ctx.actor;
    await ctx.write('account.rename', async (tx) => {
      await renameUser(tx, userId, body.name);
      return {
        result: undefined,
        audit: { objectType: 'user', objectId: userId },
        afterCommit: () => identityChanged(userId),
      };
    });
    return describeUser({ ...ctx.actor, name: body.name });
  };
}

/** Whoever has deleted their account meanwhile keeps the name that it left. */
async function renameUser(tx: DatabaseTransaction, userId: string, name: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ name, updated_at: sql`now()` })
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('unauthenticated');
}
