import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listOnCallRoles as endpoint } from '@wardline/contract/facilities/on-call.ts';
import { type SqlBool, sql } from 'kysely';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor, wrongCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { byName, requireMember, rolesOf, toRoles } from './queries.ts';

const PAGE = 50;

/** The on-call roles of a facility by name, a page at a time. The cursor is the last role's id. */
export async function listOnCallRoles(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: Pick<InputOf<typeof endpoint>, 'params' | 'query'>,
): Promise<ReplyOf<typeof endpoint>> {
  const facilityId = params.facility;
  requireMember(actor, facilityId);
  const limit = query.limit ?? PAGE;
  let found = rolesOf(db, facilityId);
  if (query.cursor !== undefined) {
    const after = await findName(db, facilityId, query.cursor);
    found = found.where(sql<SqlBool>`(${byName}, r.id) > (${after}, ${query.cursor}::uuid)`);
  }
  const rows = await found
    .orderBy(byName)
    .orderBy('r.id')
    .limit(limit + 1)
    .execute();
  const data = await toRoles(db, { actor, facilityId, rows: rows.slice(0, limit) });
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

/** Also of a role that was retired meanwhile: the page after it goes on where it stood. */
async function findName(db: RequestContext['db'], facilityId: string, id: string): Promise<string> {
  const found = await db
    .selectFrom('on_call_roles')
    .select('name')
    .where('id', '=', idCursor(id))
    .where('facility_id', '=', facilityId)
    .executeTakeFirst();
  if (!found) throw wrongCursor();
  return found.name;
}
