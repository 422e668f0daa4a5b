import { sql } from 'kysely';
import type { RealtimeAccess } from '#/features/auth/sockets/realtime-access.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Identify } from './identify.ts';

/** What follows the end of sessions in this process, after the commit: no request and no socket goes on under them. */
export type EndSessions = (keys: readonly string[]) => void;

export function createEndSessions(identify: Pick<Identify, 'forget'>, realtime: RealtimeAccess): EndSessions {
  return (keys) => {
    for (const key of keys) {
      identify.forget({ key });
      realtime.endSession(key);
    }
  };
}

/** The keys of sessions and tokens by the hashes that are stored of them. */
export function keysOf(hashes: readonly Buffer[]): string[] {
  return hashes.map((hash) => hash.toString('hex'));
}

const endedHashes = typedRows<{ hash: Buffer }>({ hash: 'buffer' });

/** Ends all sessions and tokens of a person but the one that is kept, and sign-ins half done. Returns the hashes of the ended. */
export async function endCredentialsOf(
  tx: DatabaseTransaction,
  { userId, keep }: { userId: string; keep: Buffer | null },
): Promise<Buffer[]> {
  const query = sql`
    with ended_sessions as (
      delete from sessions where user_id = ${userId} and id_hash is distinct from ${keep} returning id_hash
    ), ended_tokens as (
      delete from access_tokens where user_id = ${userId} and token_hash is distinct from ${keep} returning token_hash
    ), ended_sign_ins as (
      delete from pending_sign_ins where user_id = ${userId}
    )
    select id_hash as hash from ended_sessions union all select token_hash from ended_tokens`;
  return (await endedHashes.read(tx, query)).map((row) => row.hash);
}
