import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Sessions } from '#/platform/db/types.ts';

export interface SessionRow extends Pick<Selectable<Sessions>, 'id' | 'user_agent' | 'ip' | 'remember' | 'created_at'> {
  kind: 'session' | 'token';
  name: string | null;
  is_current: boolean;
  last_active_at: Date | null;
}

const sessionRows = typedRows<SessionRow>({
  id: 'string',
  kind: 'string',
  name: 'string?',
  user_agent: 'string?',
  ip: 'string?',
  is_current: 'boolean',
  remember: 'boolean',
  created_at: 'date',
  last_active_at: 'date?',
});
const endedHashes = typedRows<{ hash: Buffer }>({ hash: 'buffer' });

/** The sessions and tokens of a person that have force, the last used first. */
export async function findSessions(
  db: Database,
  { userId, current }: { userId: string; current: Buffer },
): Promise<SessionRow[]> {
  const query = sql`
    select * from (
      select id, 'session' as kind, null as name, user_agent, host(ip) as ip, id_hash = ${current} as is_current,
        remember, created_at, last_active_at
      from sessions where user_id = ${userId} and expires_at > now()
      union all
      select id, 'token', name, null, null, token_hash = ${current}, false, created_at, last_used_at
      from access_tokens where user_id = ${userId} and expires_at > now()
        and coalesce(last_used_at, created_at) > now() - interval '30 days'
    ) s order by coalesce(last_active_at, created_at) desc, id`;
  return sessionRows.read(db, query);
}

/** Ends one session or token of this person. Returns its hash; undefined when they have none of this id. */
export async function endOwnCredential(
  tx: DatabaseTransaction,
  { userId, id }: { userId: string; id: string },
): Promise<Buffer | undefined> {
  const query = sql`
    with ended_sessions as (delete from sessions where user_id = ${userId} and id = ${id} returning id_hash),
    ended_tokens as (delete from access_tokens where user_id = ${userId} and id = ${id} returning token_hash)
    select id_hash as hash from ended_sessions union all select token_hash from ended_tokens`;
  return (await endedHashes.first(tx, query))?.hash;
}

/** Ends all sessions and tokens of a person but the one that is kept. Returns the hashes of the ended. */
export async function endCredentialsOf(
  tx: DatabaseTransaction,
  { userId, keep }: { userId: string; keep: Buffer | null },
): Promise<Buffer[]> {
  const query = sql`
    with ended_sessions as (
      delete from sessions where user_id = ${userId} and id_hash is distinct from ${keep} returning id_hash
    ), ended_tokens as (
      delete from access_tokens where user_id = ${userId} and token_hash is distinct from ${keep} returning token_hash
    )
    select id_hash as hash from ended_sessions union all select token_hash from ended_tokens`;
  return (await endedHashes.read(tx, query)).map((row) => row.hash);
}
