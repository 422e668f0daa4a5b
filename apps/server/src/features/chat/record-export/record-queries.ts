import type { AttachmentSize } from '@wardline/contract/chat/attachments.ts';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { type RawBuilder, sql } from 'kysely';
import { attachmentFile } from '#/features/chat/attachments/attachment-store.ts';
import { listMessagesOfRecord } from '#/features/chat/core/message-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

/** A chat as it stands when it is exported: what comes or changes later is not part of it. */
export interface ExportedChat {
  readonly id: string;
  readonly kind: Chat['kind'];
  readonly title: string;
  readonly patient: { readonly name: string; readonly identifier: string; readonly born_on: string | null } | null;
  readonly state: Chat['state'];
  readonly created_at: string;
  readonly head_seq: number;
  readonly head_change_seq: number;
}

interface ChatRow extends Omit<ExportedChat, 'patient' | 'created_at'> {
  readonly patient_name: string | null;
  readonly patient_identifier: string | null;
  readonly patient_born_on: string | null;
  readonly created_at: Date;
}
const chats = typedRows<ChatRow>({
  ...{ id: 'string', kind: 'string', title: 'string', state: 'string', created_at: 'date' },
  ...{ patient_name: 'string?', patient_identifier: 'string?', patient_born_on: 'string?' },
  ...{ head_seq: 'number', head_change_seq: 'number' },
});

/** Chats of a facility in the order in which they began. */
export async function findExportedChats(
  db: Database | DatabaseTransaction,
  { facilityId, which }: { readonly facilityId: string; readonly which: RawBuilder<unknown> },
): Promise<ExportedChat[]> {
  const rows = await chats.read(
    db,
    sql`
      select c.id, c.kind, c.title, c.state, c.created_at, c.patient_name, c.patient_identifier, c.patient_born_on, c.head_seq,
        c.head_change_seq
      from chats as c where c.facility_id = ${facilityId} and ${which} order by c.created_at, c.id`,
  );
  return rows.map(({ patient_name: name, patient_identifier: identifier, patient_born_on: born_on, ...row }) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    patient: name !== null && identifier !== null ? { name, identifier, born_on } : null,
  }));
}

const weights = typedRows<{ files: number; bytes: number }>({ files: 'number', bytes: 'number' });

/** How much the files of chats weigh. */
export async function weighFiles(db: Database, chatIds: readonly string[]): Promise<{ files: number; bytes: number }> {
  const found = await weights.first(
    db,
    sql`
      select count(*) as files, coalesce(sum(a.bytes), 0)::bigint as bytes
      from attachments a where a.chat_id = any(${chatIds}::uuid[]) and a.message_id is not null and a.state in ('ready', 'removing')`,
  );
  return found ?? { files: 0, bytes: 0 };
}

/** A file of the archive, with where its bytes are kept. */
export interface RecordFile {
  readonly id: string;
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  readonly sha256: string;
  /** In the archive. */
  readonly path: string;
}

export interface RecordMessage extends Message {
  /** What it said before it was edited; of a deleted one only while a legal hold reaches it. */
  readonly earlier: readonly { version: number; body: string; written_at: string }[];
  readonly files: readonly RecordFile[];
}

const PAGE = 200;

/** The messages of a chat, page by page, the oldest first: with what they said before and their files. */
export async function* readMessages(db: Database, chat: ExportedChat): AsyncGenerator<RecordMessage[]> {
  for (let after = 0; after < chat.head_seq; ) {
    const page = await listMessagesOfRecord(db, { chatId: chat.id, after, upTo: chat.head_seq, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return;
    const ids = page.map(({ id }) => id);
    const [earlier, files] = [await readVersions(db, ids), await readFiles(db, ids)];
    yield page.map((message) => ({
      ...message,
      earlier: (earlier.get(message.id) ?? []).map(({ version, body, written_at }) => ({
        ...{ version, body, written_at: written_at.toISOString() },
      })),
      files: (files.get(message.id) ?? []).map(toRecordFile),
    }));
    after = last.seq;
  }
}

interface VersionRow {
  readonly message_id: string;
  readonly version: number;
  readonly body: string;
  readonly written_at: Date;
}
const versions = typedRows<VersionRow>({ message_id: 'string', version: 'number', body: 'string', written_at: 'date' });

async function readVersions(db: Database, ids: readonly string[]) {
  const rows = await versions.read(
    db,
    sql`
      select v.message_id, v.version, v.body, v.written_at from message_versions v join messages m on m.id = v.message_id
      where v.message_id = any(${ids}::uuid[]) and (m.deleted_at is null or is_message_held(m))
      order by v.message_id, v.version`,
  );
  return byMessage(rows);
}

interface FileRow {
  readonly id: string;
  readonly message_id: string;
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  readonly sha256: string;
}
const fileRows = typedRows<FileRow>({
  ...{ id: 'string', message_id: 'string', name: 'string', mime: 'string', bytes: 'number', sha256: 'string' },
});

/** What may be given to anybody; of a deleted message while a legal hold reaches it. What malware was found in is given to nobody. */
async function readFiles(db: Database, ids: readonly string[]) {
  const rows = await fileRows.read(
    db,
    sql`
      select a.id, a.message_id, a.name, a.mime, a.bytes, encode(a.sha256, 'hex') as sha256
      from attachments a join messages m on m.id = a.message_id
      where a.message_id = any(${ids}::uuid[]) and a.sha256 is not null and (a.scan is null or a.scan = 'clean')
        and (a.state = 'ready' or a.state = 'removing' and is_message_held(m))
      order by a.message_id, a.created_at, a.id`,
  );
  return byMessage(rows);
}

function byMessage<Row extends { readonly message_id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) found.set(row.message_id, [...(found.get(row.message_id) ?? []), row]);
  return found;
}

/** A name that every file system takes; the one that it had stands in the record. */
function toRecordFile({ message_id: _of, ...file }: FileRow): RecordFile {
  const [ending = 'bin'] = /[a-z0-9]{1,8}$/.exec(file.name.toLowerCase()) ?? [];
  return { ...file, path: `files/${file.id}.${ending}` };
}

/** Where the bytes of a file of the archive are kept; of a picture also the smaller ones. */
export async function findStored(db: Database, id: string, size: AttachmentSize = 'file'): Promise<string | null> {
  const found = await db.selectFrom('attachments').select('key').where('id', '=', id).executeTakeFirst();
  return found ? attachmentFile(found.key, size) : null;
}

export interface RecordPerson {
  readonly user_id: string;
  readonly name: string;
  readonly access: string;
  readonly joined_seq: number;
  readonly left_at: Date | null;
  readonly delivered_seq: number;
  readonly read_seq: number;
}
const people = typedRows<RecordPerson>({
  ...{ user_id: 'string', name: 'string', access: 'string', joined_seq: 'number', left_at: 'date?' },
  ...{ delivered_seq: 'number', read_seq: 'number' },
});

/** Everybody who is or was in a chat, and how far they have got: the receipts of all its messages. */
export function readPeople(db: Database, chatId: string) {
  return people.read(
    db,
    sql`
      select p.user_id, u.name, p.access, p.joined_seq, p.left_at, p.delivered_seq, p.read_seq
      from chat_participants p join users u on u.id = p.user_id where p.chat_id = ${chatId} order by u.name, p.user_id`,
  );
}

interface FacilityRow extends FacilityFormat {
  readonly name: string;
  readonly time_zone: string;
}
const facilities = typedRows<FacilityRow>({
  ...{ name: 'string', time_zone: 'string', hour_cycle: 'string', date_order: 'string' },
});

export async function findExportingFacility(db: Database, facilityId: string): Promise<FacilityRow> {
  const query = sql`select name, time_zone, hour_cycle, date_order from facilities where id = ${facilityId}`;
  const found = await facilities.first(db, query);
  if (!found) throw new Error('a facility that was found is gone');
  return found;
}
