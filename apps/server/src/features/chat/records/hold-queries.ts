import type { AuditedChat } from '@wardline/contract/audit.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { LegalHold } from '@wardline/contract/chat/records.ts';
import { type RawBuilder, sql } from 'kysely';
import type { ListPlace } from '#/features/chat/core/list-cursor.ts';
import { findChatsOfPatients } from '#/features/chat/core/patient-chats.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

type Queryable = Database | DatabaseTransaction;

interface HoldRow {
  readonly id: string;
  readonly micros: number;
  readonly chat_id: string | null;
  readonly chat_kind: Chat['kind'] | null;
  readonly title: string | null;
  readonly patient_name: string | null;
  readonly chat_identifier: string | null;
  readonly patient_identifier: string | null;
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly reason: string;
  readonly placed_by: string;
  readonly placer_name: string;
  readonly placed_at: Date;
  readonly lifted_by: string | null;
  readonly lifter_name: string | null;
  readonly lifted_at: Date | null;
  readonly lift_reason: string | null;
}

const rows = typedRows<HoldRow>({
  ...{ id: 'string', micros: 'number', chat_id: 'string?', chat_kind: 'string?', title: 'string?' },
  ...{ patient_name: 'string?', chat_identifier: 'string?', patient_identifier: 'string?' },
  ...{ user_id: 'string?', user_name: 'string?', reason: 'string', placed_by: 'string', placer_name: 'string' },
  ...{ placed_at: 'date', lifted_by: 'string?', lifter_name: 'string?', lifted_at: 'date?', lift_reason: 'string?' },
});

const columns = sql`
  h.id, (extract(epoch from h.placed_at) * 1000000)::bigint as micros, h.chat_id, c.kind as chat_kind, c.title, c.patient_name,
  c.patient_identifier as chat_identifier, h.patient_identifier, h.user_id, person.name as user_name, h.reason, h.placed_by,
  placer.name as placer_name, h.placed_at, h.lifted_by, lifter.name as lifter_name, h.lifted_at, h.lift_reason
  from legal_holds as h
  join users as placer on placer.id = h.placed_by
  left join chats as c on c.id = h.chat_id
  left join users as person on person.id = h.user_id
  left join users as lifter on lifter.id = h.lifted_by`;

interface ListQuestion {
  readonly facilityId: string;
  readonly isOpen: boolean;
  readonly after: ListPlace | null;
  readonly limit: number;
}

/** The newest first; `next` is where the following page begins. */
export async function listHolds(
  db: Database,
  { facilityId, isOpen, after, limit }: ListQuestion,
): Promise<{ data: LegalHold[]; next: ListPlace | null }> {
  const found = await read(
    db,
    facilityId,
    sql`
      where h.facility_id = ${facilityId} and ${isOpen ? sql`h.lifted_at is null` : sql`true`}
        and ${after === null ? sql`true` : sql`(h.placed_at, h.id) < (timestamptz 'epoch' + ${after.micros} * interval '1 microsecond', ${after.id}::uuid)`}
      order by h.placed_at desc, h.id desc limit ${limit + 1}`,
  );
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { data: page.map(toHold), next: last ? { micros: last.micros, id: last.id } : null };
}

export async function findHold(
  db: Queryable,
  { facilityId, id }: { readonly facilityId: string; readonly id: string },
): Promise<LegalHold | null> {
  const [row] = await read(db, facilityId, sql`where h.facility_id = ${facilityId} and h.id = ${id}`);
  return row ? toHold(row) : null;
}

/** Those in force that reach a chat as a whole, or somebody's messages in it, the newest first. */
export async function holdsOfChat(
  db: Queryable,
  { facilityId, chatId }: { readonly facilityId: string; readonly chatId: string },
): Promise<LegalHold[]> {
  const found = await read(
    db,
    facilityId,
    sql`
      join chats as held on held.id = ${chatId}
      where h.facility_id = ${facilityId} and h.lifted_at is null
        and (h.chat_id = held.id or held.kind = 'case' and fold_identifier(h.patient_identifier) = fold_identifier(held.patient_identifier)
          or h.user_id is not null and (
            exists (select from messages m where m.chat_id = held.id and m.sender_id = h.user_id)
            or exists (select from messages m where m.chat_id = held.id and (m.forwarded #>> '{sender,id}')::uuid = h.user_id)))
      order by h.placed_at desc, h.id desc`,
  );
  return found.map(toHold);
}

interface CountedHold extends HoldRow {
  readonly chat_count: number;
}

async function read(db: Queryable, facilityId: string, which: RawBuilder<unknown>): Promise<CountedHold[]> {
  const found = await rows.read(db, sql`select ${columns} ${which}`);
  const numbers = found.flatMap(({ patient_identifier: number }) => number ?? []);
  const chats = await findChatsOfPatients(db, facilityId, numbers);
  return found.map((row) => ({ ...row, chat_count: chats.get(row.patient_identifier ?? '')?.length ?? 0 }));
}

function toHold(row: CountedHold): LegalHold {
  const { lifted_by, lifter_name, lifted_at, lift_reason } = row;
  const isLifted = lifted_by !== null && lifter_name !== null && lifted_at !== null && lift_reason !== null;
  return {
    id: row.id,
    subject: subjectOf(row),
    reason: row.reason,
    placed_by: { id: row.placed_by, name: row.placer_name },
    placed_at: row.placed_at.toISOString(),
    lifted: isLifted
      ? { by: { id: lifted_by, name: lifter_name }, at: lifted_at.toISOString(), reason: lift_reason }
      : null,
  };
}

function subjectOf(row: CountedHold): LegalHold['subject'] {
  const { chat_id, chat_kind, user_id, user_name } = row;
  if (chat_id !== null && chat_kind !== null) {
    return { kind: 'chat', chat: toAuditedChat({ ...row, chat_id, chat_kind }) };
  }
  if (user_id !== null && user_name !== null) return { kind: 'person', person: { id: user_id, name: user_name } };
  return { kind: 'patient', identifier: row.patient_identifier ?? '', chat_count: row.chat_count };
}

/** A chat as it is named to who answers for the record. */
export function toAuditedChat({
  chat_id: id,
  chat_kind: kind,
  title,
  patient_name,
  chat_identifier,
}: Pick<HoldRow, 'title' | 'patient_name' | 'chat_identifier'> & {
  readonly chat_id: string;
  readonly chat_kind: Chat['kind'];
}): AuditedChat {
  const patient = patient_name && chat_identifier ? { name: patient_name, identifier: chat_identifier } : null;
  return { id, kind, title: kind === 'direct' ? null : title, patient };
}
