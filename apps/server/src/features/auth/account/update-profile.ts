import type { updateProfile as endpoint } from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
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

async function renameUser(tx: DatabaseTransaction, userId: string, name: string): Promise<void> {
  await tx.updateTable('users').set({ name, updated_at: sql`now()` }).where('id', '=', userId).execute();
}
