import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { DeletedMember, listDeletedMembers as endpoint } from '@wardline/contract/facilities/members.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor, wrongCursor } from '#/platform/http/cursor.ts';
import { removeMembers, seeFacility } from '../core/policy.ts';

const PAGE = 50;

/** Who of a facility has deleted their account, for those who manage its members. The cursor is the last person's id. */
export async function listDeletedMembers(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: { params: ParamsOf<typeof endpoint>; query: QueryOf<typeof endpoint> },
): Promise<ReplyOf<typeof endpoint>> {
  const facilityId = params.facility;
  authorizeToKnow(actor, seeFacility, { facilityId });
  authorize(actor, removeMembers, { facilityId });
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : await findPlace(db, { facilityId, userId: idCursor(query.cursor) });
  const rows = await findDeleted(db, { facilityId, after, limit: limit + 1 });
  const data = rows.slice(0, limit).map((row) => ({ ...row, deleted_at: row.deleted_at.toISOString() }));
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.user_id ?? null) : null };
}

interface Place {
  readonly at: Date;
  readonly userId: string;
}

async function findPlace(db: Database, { facilityId, userId }: { facilityId: string; userId: string }): Promise<Place> {
  const found = await db
    .selectFrom('users as u')
    .select('u.deleted_at')
    .where('u.id', '=', userId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('memberships').where('facility_id', '=', facilityId).whereRef('user_id', '=', 'u.id')),
    )
    .executeTakeFirst();
  if (!found?.deleted_at) throw wrongCursor();
  return { at: found.deleted_at, userId };
}

type DeletedRow = Omit<DeletedMember, 'deleted_at'> & { readonly deleted_at: Date };

const deletedRows = typedRows<DeletedRow>({
  user_id: 'string',
  name: 'string',
  title: 'string?',
  roles: 'array',
  deleted_at: 'date',
});

async function findDeleted(
  db: Database,
  { facilityId, after, limit }: { facilityId: string; after: Place | null; limit: number },
): Promise<DeletedRow[]> {
  const query = sql`
    select u.id as user_id, u.name, last.title, u.deleted_at, array(
      select r.name from membership_roles mr join roles r on r.id = mr.role_id
      where mr.membership_id = last.id order by r.name) as roles
    from users u
    cross join lateral (
      select m.id, m.title from memberships m where m.user_id = u.id and m.facility_id = ${facilityId}
      order by m.id desc limit 1
    ) last
    where u.deleted_at is not null
      and (${after?.at ?? null}::timestamptz is null or (u.deleted_at, u.id) < (${after?.at ?? null}::timestamptz, ${after?.userId ?? null}::uuid))
    order by u.deleted_at desc, u.id desc limit ${limit}`;
  return deletedRows.read(db, query);
}
