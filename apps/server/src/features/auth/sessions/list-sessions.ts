import type { listSessions as endpoint } from '@wardline/contract/account/account.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { hasForce, isPersonal } from '#/features/auth/account/token-force.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Sessions } from '#/platform/db/types.ts';
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

interface SessionRow extends Pick<Selectable<Sessions>, 'id' | 'user_agent' | 'ip' | 'remember' | 'created_at'> {
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

/** The sessions of a person and the apps that signed in as them, the last used first. */
async function findSessions(
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
      from access_tokens where user_id = ${userId} and not ${isPersonal} and ${hasForce}
    ) s order by coalesce(last_active_at, created_at) desc, id`;
  return sessionRows.read(db, query);
}
