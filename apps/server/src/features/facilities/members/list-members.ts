import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listMembers as endpoint, Member } from '@wardline/contract/facilities/members.ts';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { authorizeToKnow, can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor, wrongCursor } from '#/platform/http/cursor.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';
import { seeFacility, seePhone } from '../core/policy.ts';

/** The order of people, not of bytes; users_name_idx has it. */
const byName = sql<string>`u.name collate "und-x-icu"`;

const PAGE = 50;

interface Input {
  readonly params: ParamsOf<typeof endpoint>;
  readonly query: QueryOf<typeof endpoint>;
}

/** The people of a facility by name, a page at a time; `q` is parts of names, titles, roles, and of what they are on call for; `may` leaves out who may not. The cursor is the last person's id. */
export async function listMembers(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: Input,
): Promise<ReplyOf<typeof endpoint>> {
  const facilityId = params.facility;
  authorizeToKnow(actor, seeFacility, { facilityId });
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : await readCursor(db, facilityId, query.cursor);
  const rows = await findMembers(db, {
    facilityId,
    terms: toTerms(query.q ?? ''),
    may: query.may,
    after,
    limit: limit + 1,
  });
  const data = rows.slice(0, limit).map((row) => toMember(actor, facilityId, row));
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.user_id ?? null) : null };
}

async function readCursor(db: RequestContext['db'], facilityId: string, cursor: string): Promise<MemberPlace> {
  const place = await findPlace(db, { facilityId, userId: idCursor(cursor) });
  if (!place) throw wrongCursor();
  return place;
}

interface MemberPlace {
  readonly name: string;
  readonly userId: string;
}

/** Where a person stands in the order; only people who are or were of the facility have a place there. */
async function findPlace(
  db: Database,
  { facilityId, userId }: { facilityId: string; userId: string },
): Promise<MemberPlace | undefined> {
  const found = await db
    .selectFrom('users as u')
    .select('u.name')
    .where('u.id', '=', userId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('memberships').where('facility_id', '=', facilityId).whereRef('user_id', '=', 'u.id')),
    )
    .executeTakeFirst();
  return found && { name: found.name, userId };
}

const MOST_TERMS = 8;

function toTerms(search: string): string[] {
  return search
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MOST_TERMS);
}

interface MemberPage {
  readonly facilityId: string;
  /** As they were typed; each has to occur in the name, the title, a role, or what they are on call for and its unit. */
  readonly terms: readonly string[];
  /** Only those of whom a role allows this. */
  readonly may?: string | undefined;
  readonly after: MemberPlace | null;
  readonly limit: number;
}

type MemberRow = Omit<Member, 'avatar_url'> & { readonly avatar_key: string | null; readonly phone: string | null };

/** A person as this one of the facility sees them. */
export function toMember(actor: Actor, facilityId: string, { avatar_key, phone, ...member }: MemberRow): Member {
  const isPhoneShown = can(actor, seePhone, { facilityId, userId: member.user_id });
  return { ...member, phone: isPhoneShown ? phone : null, avatar_url: avatarUrl(avatar_key) };
}

/** The people of a facility whose accounts are not disabled; `m` is the membership, `u` the person. */
export function membersOf(db: Database, facilityId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id as user_id', 'u.name', 'm.title', 'm.phone', 'u.avatar_key'])
    .select(
      sql<string[]>`array(
        select r.name from membership_roles mr join roles r on r.id = mr.role_id
        where mr.membership_id = m.id order by r.name)`.as('roles'),
    )
    .select(
      sql<string[]>`array(
        select r.name from on_call_shifts s join on_call_roles r on r.id = s.role_id
        where s.user_id = m.user_id and s.facility_id = m.facility_id and s.starts_at <= now() and s.ends_at > now()
        order by r.name)`.as('on_call'),
    )
    .where('m.facility_id', '=', facilityId)
    .where('m.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null);
}

export async function findMembers(db: Database, { facilityId, terms, may, after, limit }: MemberPage) {
  let query = membersOf(db, facilityId);
  if (may !== undefined) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('membership_roles as mr')
          .innerJoin('roles as r', 'r.id', 'mr.role_id')
          .whereRef('mr.membership_id', '=', 'm.id')
          .where(sql<SqlBool>`${may} = any(r.permissions)`),
      ),
    );
  }
  for (const word of terms) {
    const part = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
    query = query.where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('u.name', 'ilike', part),
        eb('m.title', 'ilike', part),
        exists(
          selectFrom('membership_roles as mr')
            .innerJoin('roles as r', 'r.id', 'mr.role_id')
            .whereRef('mr.membership_id', '=', 'm.id')
            .where('r.name', 'ilike', part),
        ),
        exists(
          selectFrom('on_call_shifts as s')
            .innerJoin('on_call_roles as r', 'r.id', 's.role_id')
            .leftJoin('units as n', 'n.id', 'r.unit_id')
            .whereRef('s.user_id', '=', 'm.user_id')
            .whereRef('s.facility_id', '=', 'm.facility_id')
            .where('s.starts_at', '<=', sql<Date>`now()`)
            .where('s.ends_at', '>', sql<Date>`now()`)
            .where(({ or, eb }) =>
              or([eb('r.name', 'ilike', part), eb('n.name', 'ilike', part), eb('n.code', 'ilike', part)]),
            ),
        ),
      ]),
    );
  }
  if (after) query = query.where(sql<SqlBool>`(${byName}, u.id) > (${after.name}, ${after.userId}::uuid)`);
  return query.orderBy(byName).orderBy('u.id').limit(limit).execute();
}
