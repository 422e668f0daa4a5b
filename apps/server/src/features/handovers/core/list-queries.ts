import type { Patient } from '@wardline/contract/chat/chat.ts';
import type { HandoverAction, HandoverStanding } from '@wardline/contract/examinations/handovers.ts';
import type { ShiftStart } from '@wardline/contract/facilities/facility-settings.ts';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { wrongCursor } from '#/platform/http/cursor.ts';

/** Whose patients, and from when on a hand-over counts. */
export interface ListQuestion {
  readonly userId: string;
  readonly facilityId: string;
  readonly since: string;
}

/** Patients whose beds begin alike: what stands before the last dash, as `3A` of `3A-12`; null where nothing does. */
export interface PlaceCount {
  readonly place: string | null;
  readonly patients: number;
  readonly without: number;
  readonly waiting: number;
}

/** What of a chat the list shows, with its place in the order of the beds. */
export interface PatientRow extends Patient {
  readonly chat_id: string;
  readonly access: string;
  readonly standing: HandoverStanding;
  readonly handover_id: string | null;
  readonly to_do: HandoverAction[];
  readonly urgent: number;
  readonly critical: number;
  readonly bed_place: string;
  readonly bed_number: number;
}

const counts = typedRows<PlaceCount>({ place: 'string?', patients: 'number', without: 'number', waiting: 'number' });
const patients = typedRows<PatientRow>({
  ...{ chat_id: 'string', name: 'string', identifier: 'string', born_on: 'string?', bed: 'string?', access: 'string' },
  ...{ standing: 'string', handover_id: 'string?', to_do: 'array', urgent: 'number', critical: 'number' },
  ...{ bed_place: 'string', bed_number: 'number' },
});

/** My cases in a facility that go on, each with its newest hand-over that was not withdrawn (handovers_newest_idx). */
function cases({ userId, facilityId, since }: ListQuestion): RawBuilder<unknown> {
  return sql`
    select c.id as chat_id, c.patient_name as name, c.patient_identifier as identifier, c.patient_born_on as born_on,
      c.patient_bed as bed, c.urgent_count, p.access, p.joined_seq, h.id as handover_id, h.sheet_version,
      substring(c.patient_bed from '^(.*)-[^-]*$') as place,
      case when h.id is null or h.given_at < ${since}::timestamptz then 'none' when h.state = 'given' then 'waiting' else h.state end as standing
    from active_participants p
    join chats c on c.id = p.chat_id and c.kind = 'case' and c.state in ('open', 'handed_over')
      and c.patient_name is not null and c.patient_identifier is not null
    left join lateral (
      select h.id, h.state, h.given_at, h.sheet_version from handovers h
      where h.chat_id = c.id and h.state <> 'withdrawn' order by h.given_at desc, h.id desc limit 1
    ) h on true
    where p.user_id = ${userId} and p.facility_id = ${facilityId}`;
}

/** How many patients I have by where their beds are, and how far they are. */
export function countPlaces(tx: DatabaseTransaction, question: ListQuestion): Promise<PlaceCount[]> {
  return counts.read(
    tx,
    sql`select place, count(*)::int as patients, count(*) filter (where standing in ('none', 'declined'))::int as without,
        count(*) filter (where standing = 'waiting')::int as waiting
      from (${cases(question)}) as mine group by place`,
  );
}

/** The end of a page: by bed, and of two in one bed by the chat. */
export interface ListPlace {
  readonly bedPlace: string;
  readonly bedNumber: number;
  readonly bed: string;
  readonly chatId: string;
}

interface PageQuestion extends ListQuestion {
  readonly places: readonly (string | null)[];
  readonly after: ListPlace | null;
  readonly limit: number;
}

/** The patients of these places, by bed: `3A-2` before `3A-12`, no bed last. */
export function listPatients(
  tx: DatabaseTransaction,
  { places, after, limit, ...question }: PageQuestion,
): Promise<PatientRow[]> {
  const past = after
    ? sql`(bed_place, bed_number, coalesce(bed, '') collate "C", chat_id) >
        (${after.bedPlace}, ${after.bedNumber}::integer, ${after.bed}, ${after.chatId}::uuid)`
    : sql`true`;
  return patients.read(
    tx,
    sql`
    with page as (
      select * from (
        select mine.*, coalesce(place, '') collate "C" as bed_place,
          coalesce(substring(bed from '(\\d{1,9})[^-\\d]*$')::integer, 2147483647) as bed_number
        from (${cases(question)}) as mine
        where place = any(${places.filter((place) => place !== null)}::text[]) or (place is null and ${places.includes(null)}::boolean)
      ) as ordered
      where ${past}
      order by bed_place, bed_number, coalesce(bed, '') collate "C", chat_id limit ${limit}
    )
    select r.chat_id, r.name, r.identifier, r.born_on, r.bed, r.access, r.standing, r.handover_id, r.bed_place, r.bed_number,
      coalesce(todo.actions, '[]') as to_do, coalesce(open.urgent, 0) as urgent, coalesce(open.critical, 0) as critical
    from page r
    left join lateral (
      select jsonb_agg(x.action order by x.position) as actions
      from handover_sheets s
      cross join lateral jsonb_array_elements(s.content::jsonb -> 'actions') with ordinality as x (action, position)
      where s.handover_id = r.handover_id and s.version = r.sheet_version and not exists (
        select from handover_actions a
        where a.handover_id = r.handover_id and a.action_id = (x.action ->> 'id')::uuid and a.done_at is not null)
    ) todo on true
    left join lateral (
      select count(*) filter (where a.id is null)::int as urgent, count(a.id)::int as critical
      from messages m left join critical_alerts a on a.message_id = m.id
      where m.chat_id = r.chat_id and m.seq > r.joined_seq and m.urgent ->> 'state' in ('calling', 'exhausted', 'accepted')
    ) open on r.urgent_count > 0
    order by r.bed_place, r.bed_number, coalesce(r.bed, '') collate "C", r.chat_id`,
  );
}

const onCall = typedRows<{ unit_id: string | null }>({ unit_id: 'string?' });

/** The units of what I am on call for in a facility, the longest first. */
export function listOnCallUnits(
  tx: DatabaseTransaction,
  { userId, facilityId, at }: { readonly userId: string; readonly facilityId: string; readonly at: string },
): Promise<{ unit_id: string | null }[]> {
  return onCall.read(
    tx,
    sql`select r.unit_id from on_call_shifts s join on_call_roles r on r.id = s.role_id
      where s.user_id = ${userId} and s.facility_id = ${facilityId} and s.ends_at > ${at} and s.starts_at <= ${at}
      order by s.starts_at, s.id`,
  );
}

const clock = typedRows<{ time_zone: string; shift_starts: ShiftStart[] }>({
  time_zone: 'string',
  shift_starts: 'array',
});

/** When the shifts of a facility begin, and by which zone's clock. */
export async function findShiftStarts(
  tx: DatabaseTransaction,
  facilityId: string,
): Promise<{ readonly time_zone: string; readonly shift_starts: readonly ShiftStart[] }> {
  const found = await clock.first(tx, sql`select time_zone, shift_starts from facilities where id = ${facilityId}`);
  if (!found) throw new AppError('not_found');
  return found;
}

const Place = z.tuple([
  z.string().check(z.maxLength(20)),
  z.int().check(z.nonnegative(), z.lte(2147483647)),
  z.string().check(z.maxLength(20)),
  z.uuid(),
]);

export function encodePlace({ bed_place, bed_number, bed, chat_id }: PatientRow): string {
  return Buffer.from(JSON.stringify([bed_place, bed_number, bed ?? '', chat_id])).toString('base64url');
}

export function decodePlace(cursor: string): ListPlace {
  const text = Buffer.from(cursor, 'base64url').toString();
  const found = Place.safeParse(parseJson(text));
  if (!found.success || text.includes('\\u0000')) throw wrongCursor();
  const [bedPlace, bedNumber, bed, chatId] = found.data;
  return { bedPlace, bedNumber, bed, chatId };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
