import type { QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listAllFacilities as endpoint } from '@wardline/contract/facilities/system-facilities.ts';
import { sql } from 'kysely';
import { acrossFacilities } from '#/platform/db/stated-actor.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor, wrongCursor } from '#/platform/http/cursor.ts';
import { byName, findFacilities } from './facility-rows.ts';

const PAGE = 50;

/** The facilities of the installation by name. The cursor is the last one's id. */
export async function listAllFacilities(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { query }: { query: QueryOf<typeof endpoint> },
): Promise<ReplyOf<typeof endpoint>> {
  requireOperator(actor);
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : await readCursor(db, query.cursor);
  const rest = after === null ? sql`` : sql`where (${byName}) > (${after.name}, ${after.id}::uuid)`;
  const rows = await findFacilities(db, sql`${rest} order by ${byName} limit ${limit + 1}`);
  const data = rows.slice(0, limit);
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

async function readCursor(db: RequestContext['db'], cursor: string) {
  const query = db.selectFrom('facilities').select(['id', 'name']).where('id', '=', idCursor(cursor));
  const place = await acrossFacilities(() => query.executeTakeFirst());
  if (!place) throw wrongCursor();
  return place;
}
