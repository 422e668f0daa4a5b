import type { AuditedChat } from '@wardline/contract/audit.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

const ids = typedRows<{ id: string }>({ id: 'string' });

/** A chat of a facility, and where it is about a patient all others there about them. Empty where there is no such chat. */
export async function findChatsAbout(db: Database, facilityId: string, chatId: string): Promise<string[]> {
  const query = sql`
    select c.id from chats given join chats c on c.facility_id = given.facility_id and (c.id = given.id
      or (given.kind = 'case' and c.kind = 'case' and c.patient_identifier = given.patient_identifier))
    where given.id = ${chatId} and given.facility_id = ${facilityId} order by c.id limit 200`;
  return (await inOwnFacilities(() => ids.read(db, query))).map(({ id }) => id);
}

interface ChatRow {
  readonly id: string;
  readonly kind: AuditedChat['kind'];
  readonly title: string;
  readonly patient_name: string | null;
  readonly patient_identifier: string | null;
}
const chats = typedRows<ChatRow>({
  ...{ id: 'string', kind: 'string', title: 'string', patient_name: 'string?', patient_identifier: 'string?' },
});

const MOST = 20;

/** By parts of a patient's name and identifier, or of a title; of a patient's chats the newest stands for all. */
export async function findChatsByText(db: Database, facilityId: string, text: string): Promise<AuditedChat[]> {
  const parts = text.split(/\s+/).filter(Boolean);
  const query = sql`
    select id, kind, title, patient_name, patient_identifier from (
      select distinct on (coalesce(c.patient_identifier, c.id::text)) c.*
      from chats c
      where c.facility_id = ${facilityId} and c.kind <> 'direct' and (
        select bool_and(position(fold_text(part) in fold_text(concat_ws(' ', c.patient_name, c.patient_identifier, c.title))) > 0)
        from unnest(${parts}::text[]) as part)
      order by coalesce(c.patient_identifier, c.id::text), c.id desc) found
    order by updated_at desc, id desc limit ${MOST}`;
  const found = await inOwnFacilities(() => chats.read(db, query));
  return found.map(({ id, kind, title, patient_name: name, patient_identifier: identifier }) => ({
    ...{ id, kind, title },
    patient: name === null || identifier === null ? null : { name, identifier },
  }));
}

/** Those in which somebody writes, or the one of them that is named; those in use last first. */
export async function findChatsOfWriter(
  db: Database,
  { userId, closed }: { readonly userId: string; readonly closed: readonly string[] },
  chatId?: string,
): Promise<string[]> {
  const query = sql`
    select p.chat_id as id from active_participants p join chats c on c.id = p.chat_id
    where p.user_id = ${userId} and p.access <> 'read' and p.facility_id <> all(${closed}::uuid[])
      and ${chatId === undefined ? sql`true` : sql`p.chat_id = ${chatId}`}
    order by c.updated_at desc, c.id limit 200`;
  return (await ids.read(db, query)).map(({ id }) => id);
}
