import type { listSessions as endpoint } from '@wardline/contract/account.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findSessions } from './session-queries.ts';

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
