import type { listHoldablePeople as endpoint, HoldablePerson } from '@wardline/contract/chat/records.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor, wrongCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { requireRecords } from './retention-rules.ts';

type Endpoint = typeof endpoint;

const PAGE = 20;

/** A claim is often about somebody who has left: people who were of the facility are listed as well. The cursor is the last person's id. */
export async function listHoldablePeople(
  { actor, db }: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const facilityId = params.facility;
  requireRecords(actor, facilityId);
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : await readCursor(db, facilityId, query.cursor);
  const terms = (query.q ?? '').split(/\s+/).filter((term) => term !== '');
  const rows = await findPeople(db, { facilityId, terms, after, limit: limit + 1 });
  const data = rows.slice(0, limit).map((row) => ({ ...row, left_at: row.left_at?.toISOString() ?? null }));
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

async function readCursor(db: Database, facilityId: string, cursor: string): Promise<string> {
  const id = idCursor(cursor);
  const found = await db
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', id)
    .where('facility_id', '=', facilityId)
    .limit(1)
    .executeTakeFirst();
  if (!found) throw wrongCursor();
  return id;
}

interface Question {
  readonly facilityId: string;
  /** Each has to occur in the name or the title. */
  readonly terms: readonly string[];
  readonly after: string | null;
  readonly limit: number;
}

type PersonRow = Omit<HoldablePerson, 'left_at'> & { readonly left_at: Date | null };
const people = typedRows<PersonRow>({ id: 'string', name: 'string', title: 'string?', left_at: 'date?' });

function findPeople(db: Database, { facilityId, terms, after, limit }: Question): Promise<PersonRow[]> {
  const parts = terms.map((term) => `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return people.read(
    db,
    sql`
      select u.id, u.name, last.title, last.ended_at as left_at
      from (
        select distinct on (m.user_id) m.user_id, m.title, m.ended_at from memberships m
        where m.facility_id = ${facilityId} order by m.user_id, m.ended_at desc nulls first, m.id desc
      ) as last
      join users as u on u.id = last.user_id
      where not exists (select from unnest(${parts}::text[]) as part where concat_ws(' ', u.name, last.title) not ilike part)
        and (${after}::uuid is null or (u.name collate "und-x-icu", u.id) > (select p.name collate "und-x-icu", p.id from users p where p.id = ${after}))
      order by u.name collate "und-x-icu", u.id limit ${limit}`,
  );
}
