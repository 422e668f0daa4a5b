import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Comparison } from './filter.ts';
import { invalid } from './scim-error.ts';
import type { UserAttributes } from './user-attributes.ts';

type Queryable = Database | DatabaseTransaction;

export interface Reference {
  readonly value: string;
  readonly display: string | null;
}

export interface UserRow {
  readonly id: string;
  readonly user_name: string;
  readonly email: string;
  readonly external_id: string | null;
  readonly display_name: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
  /** As it is beside the name in this facility; null for who is no member. */
  readonly title: string | null;
  /** Also while the account is disabled, which is no business of the directory's. */
  readonly is_member: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly roles: readonly Reference[];
}

const userRows = typedRows<UserRow>({
  id: 'string',
  user_name: 'string',
  email: 'string',
  external_id: 'string?',
  display_name: 'string?',
  given_name: 'string?',
  family_name: 'string?',
  title: 'string?',
  is_member: 'boolean',
  created_at: 'date',
  updated_at: 'date',
  roles: 'array',
});

/**
 * The people of a facility: its members, and whom its directory has put out. Of the latter only what the directory said itself
 * is known here: their account is no business of the facility any more.
 */
function peopleOf(facilityId: string): RawBuilder<unknown> {
  return sql`
    select u.id, coalesce(s.user_name, u.email) as user_name, coalesce(s.email, u.email) as email, s.external_id,
      case when m.id is null then s.display_name else coalesce(s.display_name, u.name) end as display_name,
      s.given_name, s.family_name, m.title, m.id is not null as is_member,
      coalesce(s.created_at, m.created_at) as created_at, coalesce(s.updated_at, m.created_at) as updated_at, m.id as membership_id
    from (
      select user_id from memberships where facility_id = ${facilityId} and ended_at is null
      union select user_id from scim_users where facility_id = ${facilityId}
    ) p
    join users u on u.id = p.user_id
    left join memberships m on m.user_id = u.id and m.facility_id = ${facilityId} and m.ended_at is null
    left join scim_users s on s.user_id = u.id and s.facility_id = ${facilityId}`;
}

const USER_ATTRIBUTES: ReadonlyMap<string, (value: string) => RawBuilder<unknown>> = new Map([
  ['id', (value: string) => sql`id::text = lower(${value})`],
  ['username', (value: string) => sql`lower(user_name) = lower(${value})`],
  ['emails', (value: string) => sql`lower(email) = lower(${value})`],
  ['externalid', (value: string) => sql`external_id = ${value}`],
  ['displayname', (value: string) => sql`display_name = ${value}`],
]);

export interface Page {
  readonly filter: readonly Comparison[];
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
}

const counts = typedRows<{ total: number }>({ total: 'number' });

export async function findUsers(db: Database, facilityId: string, { filter, startIndex, count }: Page) {
  const conditions = filter.map(({ attribute, value }) => {
    const condition = USER_ATTRIBUTES.get(attribute);
    if (!condition) throw invalid('invalidFilter', `People are not found by ${attribute}.`);
    return condition(value);
  });
  const where = sql.join([sql`true`, ...conditions], sql` and `);
  const found = await counts.first(db, sql`select count(*) as total from (${peopleOf(facilityId)}) x where ${where}`);
  const page = sql`
    with x as materialized (
      select * from (${peopleOf(facilityId)}) x where ${where} order by id offset ${startIndex - 1} limit ${count}
    )
    select x.id, x.user_name, x.email, x.external_id, x.display_name, x.given_name, x.family_name, x.title,
      x.is_member, x.created_at, x.updated_at, ${rolesOf} as roles from x order by id`;
  return { total: found?.total ?? 0, rows: await userRows.read(db, page) };
}

export async function findUser(db: Queryable, facilityId: string, id: string): Promise<UserRow | undefined> {
  const query = sql`
    select x.id, x.user_name, x.email, x.external_id, x.display_name, x.given_name, x.family_name, x.title,
      x.is_member, x.created_at, x.updated_at, ${rolesOf} as roles from (${peopleOf(facilityId)}) x where id = ${id}`;
  return userRows.first(db, query);
}

const rolesOf = sql`coalesce((
  select json_agg(json_build_object('value', r.id, 'display', r.name) order by r.name)
  from membership_roles mr join roles r on r.id = mr.role_id where mr.membership_id = x.membership_id), '[]')`;

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly members: readonly Reference[];
}

const groupRows = typedRows<GroupRow>({ id: 'string', name: 'string', members: 'array' });

const hasMember = (value: string) => sql`exists (
  select from membership_roles h join memberships m on m.id = h.membership_id and m.ended_at is null
  where h.role_id = r.id and m.user_id::text = lower(${value}))`;

const GROUP_ATTRIBUTES: ReadonlyMap<string, (value: string) => RawBuilder<unknown>> = new Map([
  ['id', (value: string) => sql`r.id::text = lower(${value})`],
  ['displayname', (value: string) => sql`lower(r.name) = lower(${value})`],
  ['members', hasMember],
  ['members.value', hasMember],
]);

/** The roles of a facility with all who hold them: who is disabled by the operator may come back, and what is taken from them meanwhile stays taken. */
export async function findGroups(db: Queryable, facilityId: string, { filter, startIndex, count }: Page) {
  const conditions = filter.map(({ attribute, value }) => {
    const condition = GROUP_ATTRIBUTES.get(attribute);
    if (!condition) throw invalid('invalidFilter', `Groups are not found by ${attribute}.`);
    return condition(value);
  });
  const where = sql.join([sql`r.facility_id = ${facilityId}`, ...conditions], sql` and `);
  const found = await counts.first(db, sql`select count(*) as total from roles r where ${where}`);
  const rows = await groupRows.read(
    db,
    sql`
      select r.id, r.name, coalesce((
        select json_agg(json_build_object('value', m.user_id, 'display', coalesce(s.display_name, u.name)) order by m.user_id)
        from membership_roles h
        join memberships m on m.id = h.membership_id and m.ended_at is null
        join users u on u.id = m.user_id
        left join scim_users s on s.user_id = m.user_id and s.facility_id = m.facility_id
        where h.role_id = r.id), '[]') as members
      from roles r where ${where} order by r.id offset ${startIndex - 1} limit ${count}`,
  );
  return { total: found?.total ?? 0, rows };
}

/** Writes what the directory says of a person. False where another of the facility has the user name or the external id. */
export async function putScimUser(
  tx: DatabaseTransaction,
  { facilityId, userId }: { readonly facilityId: string; readonly userId: string },
  user: UserAttributes,
): Promise<boolean> {
  const taken = await tx
    .selectFrom('scim_users')
    .select('user_id')
    .where('facility_id', '=', facilityId)
    .where('user_id', '<>', userId)
    .where((where) =>
      where.or([
        where(sql`lower(user_name)`, '=', user.userName.toLowerCase()),
        ...(user.externalId === null ? [] : [where('external_id', '=', user.externalId)]),
      ]),
    )
    .executeTakeFirst();
  if (taken) return false;
  const said = {
    user_name: user.userName,
    email: user.email,
    external_id: user.externalId,
    display_name: user.displayName,
    given_name: user.givenName,
    family_name: user.familyName,
    updated_at: sql<Date>`now()`,
  };
  await tx
    .insertInto('scim_users')
    .values({ facility_id: facilityId, user_id: userId, ...said })
    .onConflict((conflict) => conflict.columns(['facility_id', 'user_id']).doUpdateSet(said))
    .execute();
  return true;
}
