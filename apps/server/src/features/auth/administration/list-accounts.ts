import type { QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listAccounts as endpoint } from '@wardline/contract/facilities/system-accounts.ts';
import { sql } from 'kysely';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor, wrongCursor } from '#/platform/http/cursor.ts';
import { byName, findAccounts } from './account-rows.ts';

const PAGE = 50;

/** The accounts of the installation by name; `q` is a part of the name or the address. The cursor is the last one's id. */
export async function listAccounts(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { query }: { query: QueryOf<typeof endpoint> },
): Promise<ReplyOf<typeof endpoint>> {
  requireOperator(actor);
  const limit = query.limit ?? PAGE;
  const part = `%${(query.q ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`;
  const found = query.q ? sql`(u.name ilike ${part} or u.email ilike ${part})` : sql`true`;
  const after = query.cursor === undefined ? null : await readCursor(db, query.cursor);
  const rest = after === null ? sql`true` : sql`(${byName}) > (${after.name}, ${after.id}::uuid)`;
  const rows = await findAccounts(db, sql`${found} and ${rest} order by ${byName} limit ${limit + 1}`);
  const data = rows.slice(0, limit);
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

async function readCursor(db: RequestContext['db'], cursor: string) {
  const place = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', '=', idCursor(cursor))
    .executeTakeFirst();
  if (!place) throw wrongCursor();
  return place;
}
