import type { listSessions as endpoint } from '@wardline/contract/account.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';

export async function listSessions({
  actor,
  db,
}: Pick<RequestContext, 'actor' | 'db'>): Promise<ReplyOf<typeof endpoint>> {
  const rows = await findSessions(db, { userId: actor.userId, current: Buffer.from(actor.credential.key, 'hex') });
  const data = rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_active_at: row.last_active_at?.toISOString() ?? null,
  }));
  return { data };
}

interface SessionRow {
  id: string;
  kind: 'session' | 'token';
  name: string | null;
  user_agent: string | null;
  ip: string | null;
  is_current: boolean;
  remember: boolean;
  created_at: Date;
  last_active_at: Date | null;
}

/** The sessions and tokens of a person that have force, the last used first. */
async function findSessions(
  db: Database,
  { userId, current }: { userId: string; current: Buffer },
): Promise<SessionRow[]> {
  const found = await sql<SessionRow>`
    select * from (
      select id, 'session' as kind, null as name, user_agent, host(ip) as ip, id_hash = ${current} as is_current,
        remember, created_at, last_active_at
      from sessions where user_id = ${userId} and expires_at > now()
      union all
      select id, 'token', name, null, null, token_hash = ${current}, false, created_at, last_used_at
      from access_tokens where user_id = ${userId} and expires_at > now()
        and coalesce(last_used_at, created_at) > now() - interval '30 days'
    ) s order by coalesce(last_active_at, created_at) desc, id`.execute(db);
  return found.rows;
}
