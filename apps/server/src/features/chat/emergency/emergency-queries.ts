import type { EmergencyAccess } from '@wardline/contract/chat/emergency-access.ts';
import { type RawBuilder, sql } from 'kysely';
import type { ListPlace } from '#/features/chat/core/list-cursor.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

interface EmergencyRow {
  readonly id: string;
  readonly micros: number;
  readonly chat_id: string;
  readonly title: string;
  readonly patient_name: string;
  readonly patient_identifier: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly reason: string;
  readonly opened_at: Date;
  readonly ends_at: Date;
  readonly is_open: boolean;
  readonly verdict: NonNullable<EmergencyAccess['review']>['verdict'] | null;
  readonly review_note: string | null;
  readonly reviewed_by: string | null;
  readonly reviewer_name: string | null;
  readonly reviewed_at: Date | null;
}

const rows = typedRows<EmergencyRow>({
  id: 'string',
  micros: 'number',
  chat_id: 'string',
  title: 'string',
  patient_name: 'string',
  patient_identifier: 'string',
  user_id: 'string',
  user_name: 'string',
  reason: 'string',
  opened_at: 'date',
  ends_at: 'date',
  is_open: 'boolean',
  verdict: 'string?',
  review_note: 'string?',
  reviewed_by: 'string?',
  reviewer_name: 'string?',
  reviewed_at: 'date?',
});

const columns = sql`
  e.id, floor(extract(epoch from e.opened_at) * 1000000)::bigint as micros, e.chat_id, c.title, c.patient_name,
  c.patient_identifier, e.user_id, u.name as user_name, e.reason, e.opened_at, e.ends_at,
  exists (
    select from active_participants as p
    where p.chat_id = e.chat_id and p.user_id = e.user_id and p.emergency_id = e.id
  ) as is_open,
  e.verdict, e.review_note, e.reviewed_by, r.name as reviewer_name, e.reviewed_at
  from emergency_accesses as e
  join chats as c on c.id = e.chat_id
  join users as u on u.id = e.user_id
  left join users as r on r.id = e.reviewed_by`;

interface ListQuestion {
  readonly facilityId: string;
  readonly isWaiting: boolean;
  readonly after: ListPlace | null;
  readonly limit: number;
}

/** The newest first; `next` is where the following page begins. */
export async function listEmergencyRows(
  db: Database,
  { facilityId, isWaiting, after, limit }: ListQuestion,
): Promise<{ data: EmergencyAccess[]; next: ListPlace | null }> {
  const found = await read(
    db,
    sql`
    where e.facility_id = ${facilityId} and ${isWaiting ? sql`e.verdict is null` : sql`true`}
      and ${after === null ? sql`true` : sql`(e.opened_at, e.id) < (timestamptz 'epoch' + ${after.micros} * interval '1 microsecond', ${after.id}::uuid)`}
    order by e.opened_at desc, e.id desc limit ${limit + 1}`,
  );
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { data: page.map(toEmergencyAccess), next: last ? { micros: last.micros, id: last.id } : null };
}

const counts = typedRows<{ waiting: number }>({ waiting: 'number' });

/** Those that nobody has reviewed, save one person's own. */
export async function countWaiting(
  db: Database,
  { facilityId, notOf }: { readonly facilityId: string; readonly notOf: string },
): Promise<number> {
  const query = sql`
    select count(*)::int as waiting from emergency_accesses
    where facility_id = ${facilityId} and verdict is null and user_id <> ${notOf}`;
  return (await counts.first(db, query))?.waiting ?? 0;
}

export async function findEmergencyAccess(
  db: Database,
  { facilityId, id }: { readonly facilityId: string; readonly id: string },
): Promise<EmergencyAccess | null> {
  const [row] = await read(db, sql`where e.facility_id = ${facilityId} and e.id = ${id}`);
  return row ? toEmergencyAccess(row) : null;
}

function read(db: Database, which: RawBuilder<unknown>): Promise<EmergencyRow[]> {
  return rows.read(db, sql`select ${columns} ${which}`);
}

function toEmergencyAccess(row: EmergencyRow): EmergencyAccess {
  const { verdict, reviewed_by, reviewer_name, reviewed_at, review_note } = row;
  const isReviewed = verdict !== null && reviewed_by !== null && reviewer_name !== null && reviewed_at !== null;
  return {
    id: row.id,
    chat: {
      id: row.chat_id,
      kind: 'case',
      title: row.title,
      patient: { name: row.patient_name, identifier: row.patient_identifier },
    },
    person: { id: row.user_id, name: row.user_name },
    reason: row.reason,
    opened_at: row.opened_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    is_open: row.is_open,
    review: isReviewed
      ? {
          verdict,
          note: review_note,
          by: { id: reviewed_by, name: reviewer_name },
          at: reviewed_at.toISOString(),
        }
      : null,
  };
}
