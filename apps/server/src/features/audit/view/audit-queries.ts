import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

/** What of a facility's audit is looked for. */
export interface AuditFilter {
  readonly facilityId: string;
  readonly personId?: string | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly outcome?: 'done' | 'refused' | undefined;
  /** Days on the facility's clock, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly chatIds?: readonly string[] | undefined;
}

export interface AuditPage {
  /** Entries before this one. */
  readonly before: number | null;
  readonly limit: number;
}

/** Entries of one page by number, and where the next one begins: null where nothing is left. */
export interface FoundIds {
  readonly ids: readonly number[];
  readonly next: number | null;
}

/** So many entries at most are looked at for one page; mostly a few are enough. */
const [FEW, MOST_LOOKED_AT] = [500, 20_000];

/** The chat that an entry belongs to, as audit_entries_chat_idx has it. */
const CHAT = sql`(coalesce(e.detail ->> 'chat', case when e.object_type = 'chat' then e.object_id::text end))`;

/** Older builds stored two refusals as done; no entry is ever changed. */
export const OUTCOME = sql`case when e.action in ('session.refused', 'password.refused') then 'refused' else e.outcome end`;

/** Whom an entry is about that names no facility. */
const WHO = sql`coalesce(e.actor_id, case when e.object_type = 'user' then e.object_id end)`;

/** They were of the facility at that time. */
const ofMember = (facilityId: string) => sql`(
  ${WHO} in (select m.user_id from memberships m where m.facility_id = ${facilityId})
  and exists (select from memberships m where m.facility_id = ${facilityId} and m.user_id = ${WHO} and m.created_at <= e.at
    and (m.ended_at is null or m.ended_at >= e.at)))`;

const all = (parts: readonly RawBuilder<unknown>[]) => (parts.length === 0 ? sql`true` : sql.join(parts, sql` and `));

/** Numbers rise with the time but for transactions that overlap: a little room aside. */
const ROOM = 1_000;
const HIGHEST = sql`9e18::bigint`;

/** From which instant and number, and before which instant and up to which number, an entry of these days is. */
function boundsOf(facility: RawBuilder<unknown>, { from, to }: Pick<AuditFilter, 'from' | 'to'>) {
  const startOf = (day: string, plus: number) =>
    sql`((${day}::date + ${plus}::int)::timestamp at time zone (select f.time_zone from facilities f where f.id = ${facility}))`;
  const since = from === undefined ? sql`null` : startOf(from, 0);
  const until = to === undefined ? sql`null` : startOf(to, 1);
  return {
    since,
    until,
    lowest: from === undefined ? sql`0` : sql`coalesce(audit_id_from(${since}), ${HIGHEST}) - ${ROOM}::bigint`,
    highest:
      to === undefined
        ? HIGHEST
        : sql`coalesce(audit_id_from(${until}), ${HIGHEST} - ${ROOM}::bigint) + ${ROOM}::bigint`,
  };
}

const foundIds = typedRows<{ floor: number | null; ids: number[] }>({ floor: 'number?', ids: 'array' });

/**
 * The newest entries of each of these chats: their index serves no query that a policy narrows (docs/decisions/057). Of one that the policy
 * hides the number alone, since it was looked at.
 */
const ofChats = (chatIds: readonly string[], bounds: RawBuilder<unknown>) => sql`
  select newest.id as looked_at, newest.chat as branch, e.*
  from audit_ids_of_chats(${chatIds}::text[], ${bounds}) as newest left join audit_entries e on e.id = newest.id`;

/** The newest entries that fit: through the index of the chats, of the person or of the facility, whichever is narrowest. */
export async function findAuditIds(db: Database, filter: AuditFilter, page: AuditPage): Promise<FoundIds> {
  if (page.limit < FEW) {
    const few = await findAmong(db, filter, { ...page, most: FEW });
    if (few.ids.length >= page.limit || few.next === null) return few;
  }
  return findAmong(db, filter, { ...page, most: MOST_LOOKED_AT });
}

async function findAmong(
  db: Database,
  filter: AuditFilter,
  { before, limit, most }: AuditPage & { readonly most: number },
): Promise<FoundIds> {
  const { facilityId, personId, chatIds } = filter;
  const { since, until, lowest, highest } = boundsOf(sql`${facilityId}::uuid`, filter);
  const within = all([
    ...(before === null ? [] : [sql`e.id < ${before}`]),
    ...(filter.from === undefined ? [] : [sql`e.at >= ${since} and e.id >= ${lowest}`]),
    ...(filter.to === undefined ? [] : [sql`e.at < ${until} and e.id <= ${highest}`]),
  ]);
  const newest = sql`order by e.id desc limit ${most}`;
  const isOfFacility = sql`(e.facility_id = ${facilityId} or (e.facility_id is null and ${ofMember(facilityId)}))`;
  const looked =
    chatIds !== undefined
      ? ofChats(chatIds, sql`${before}::bigint, ${lowest}, ${highest}, ${since}, ${until}, ${most}`)
      : personId !== undefined
        ? sql`(select e.id as looked_at, 'person' as branch, e.* from audit_entries e where e.actor_id = ${personId} and ${within} ${newest})`
        : sql`
        (select e.id as looked_at, 'facility' as branch, e.* from audit_entries e where e.facility_id = ${facilityId} and ${within} ${newest})
        union all
        (select e.id as looked_at, 'person' as branch, e.* from audit_entries e where e.facility_id is null and ${within} ${newest})`;
  const fits = all([
    isOfFacility,
    ...(personId === undefined ? [] : [sql`e.actor_id = ${personId}`]),
    ...(filter.actions === undefined ? [] : [sql`e.action = any(${filter.actions}::text[])`]),
    ...(filter.outcome === undefined ? [] : [sql`${OUTCOME} = ${filter.outcome}`]),
  ]);
  return readIds(db, { looked, fits, limit, most });
}

/** Who else read in chats, the newest first. */
export async function findReadingIds(
  db: Database,
  { chatIds, actions, but }: { chatIds: readonly string[]; actions: readonly string[]; but: string },
  { before, limit }: AuditPage,
): Promise<FoundIds> {
  const looked = ofChats(chatIds, sql`${before}::bigint, 0, ${HIGHEST}, null, null, ${READ_LOOKED_AT}`);
  const fits = sql`e.action = any(${actions}::text[]) and e.actor_id is distinct from ${but}`;
  return readIds(db, { looked, fits, limit, most: READ_LOOKED_AT });
}

/** Of one chat, where somebody has many. */
const READ_LOOKED_AT = 500;

interface Looking {
  readonly looked: RawBuilder<unknown>;
  readonly fits: RawBuilder<unknown>;
  readonly limit: number;
  readonly most: number;
}

/** Where one of the ways was looked at as far as it may be, the page ends there, whatever the others have further down. */
async function readIds(db: Database, { looked, fits, limit, most }: Looking): Promise<FoundIds> {
  const query = sql`
      with looked as materialized (${looked}),
      ends as (
        select max(b.lowest) as floor from (
          select min(looked_at) as lowest from looked group by branch having count(*) >= ${most}) b),
      found as (
        select e.id from looked e
        where e.id >= coalesce((select floor from ends), 0) and ${fits} order by e.id desc limit ${limit + 1})
      select (select floor from ends) as floor,
        coalesce((select array_agg(id::float8 order by id desc) from found), '{}') as ids`;
  const found = await inOwnFacilities(() => foundIds.first(db, query));
  const ids = (found?.ids ?? []).slice(0, limit);
  const isFull = (found?.ids.length ?? 0) > limit;
  return { ids, next: isFull ? (ids.at(-1) ?? null) : (found?.floor ?? null) };
}

export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly outcome: 'done' | 'refused';
  readonly times: number;
  readonly chat_id: string | null;
  readonly chat_kind: 'case' | 'group' | 'direct' | 'announcement' | null;
  readonly chat_title: string | null;
  readonly patient_name: string | null;
  readonly patient_identifier: string | null;
  readonly person_id: string | null;
  readonly person_name: string | null;
  readonly ip: string | null;
  /** The name of the request that was refused. */
  readonly endpoint: string | null;
}

const rows = typedRows<AuditRow>({
  ...{ id: 'number', at: 'date', actor_id: 'string?', actor_name: 'string?', action: 'string', outcome: 'string' },
  ...{ times: 'number', chat_id: 'string?', chat_kind: 'string?', chat_title: 'string?' },
  ...{
    patient_name: 'string?',
    patient_identifier: 'string?',
    person_id: 'string?',
    person_name: 'string?',
    ip: 'string?',
    endpoint: 'string?',
  },
});

/** These entries with the names of now, the newest first. */
export async function readAuditRows(db: Database, ids: readonly number[]): Promise<AuditRow[]> {
  if (ids.length === 0) return [];
  const query = sql`
      select e.id, e.at, e.actor_id, a.name as actor_name, e.action, ${OUTCOME} as outcome, coalesce(r.count, 1) as times,
        c.id as chat_id, c.kind as chat_kind, case when c.kind <> 'direct' then c.title end as chat_title, c.patient_name,
        c.patient_identifier, p.id as person_id, p.name as person_name, host(e.ip) as ip,
        e.detail ->> 'endpoint' as endpoint
      from audit_entries e
      left join users a on a.id = e.actor_id
      left join audit_refusal_counts r on r.entry_id = e.id
      left join chats c on c.id = ${CHAT}::uuid
      left join users p on p.id = case when e.object_type = 'user' then e.object_id else (e.detail ->> 'user')::uuid end
      where e.id = any(${ids}::bigint[]) order by e.id desc`;
  return inOwnFacilities(() => rows.read(db, query));
}
