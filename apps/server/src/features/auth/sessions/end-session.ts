import type { endSession as endpoint } from '@wardline/contract/account/account.ts';
import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { isPersonal } from '#/features/auth/account/token-force.ts';
import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { keysOf } from './end-sessions.ts';

/** Ends one session of one's own or an app's, also the one of this request; anybody else's does not exist. */
export function endSession({ endSessions }: { readonly endSessions: EndSessions }) {
  return async (ctx: RequestContext, { params }: { params: ParamsOf<typeof endpoint> }): Promise<undefined> => {
    const { userId } = ctx.actor;
    const id = params.session;
    await ctx.write('session.end', async (tx) => {
      const ended = await endOwnCredential(tx, { userId, id });
      if (!ended) throw new AppError('not_found');
      return {
        result: undefined,
        audit: { objectType: 'session', objectId: id },
        afterCommit: () => endSessions(keysOf([ended])),
      };
    });
  };
}

const endedHashes = typedRows<{ hash: Buffer }>({ hash: 'buffer' });

/** Ends one session or token of this person. Returns its hash; undefined when they have none of this id. */
async function endOwnCredential(
  tx: DatabaseTransaction,
  { userId, id }: { userId: string; id: string },
): Promise<Buffer | undefined> {
  const query = sql`
    with ended_sessions as (delete from sessions where user_id = ${userId} and id = ${id} returning id_hash),
    ended_tokens as (
      delete from access_tokens where user_id = ${userId} and id = ${id} and not ${isPersonal} returning token_hash
    )
    select id_hash as hash from ended_sessions union all select token_hash from ended_tokens`;
  return (await endedHashes.first(tx, query))?.hash;
}
