import type { Message, MessageAct } from '@wardline/contract/chat.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Messages } from '#/platform/db/types.ts';
import { newId } from '#/platform/new-id.ts';

interface StoredMessage extends Omit<Selectable<Messages>, 'facility_id'> {
  readonly kind: Message['kind'];
  /** What a person sends has none. */
  readonly act_kind: MessageAct['kind'] | null;
}

export interface MessageRow extends StoredMessage {
  readonly sender_name: string;
  readonly sender_title: string | null;
}

/** `m` is the message in the query that they are put into. */
const messageColumns = sql`
  m.id, m.chat_id, m.seq, m.client_id, m.sender_id, m.kind, m.body, m.reply_to, m.device_time, m.created_at, m.act_kind, m.act_id`;

const storedMessages = typedRows<StoredMessage>({
  id: 'string',
  chat_id: 'string',
  seq: 'number',
  client_id: 'string',
  sender_id: 'string',
  kind: 'string',
  body: 'string',
  reply_to: 'string?',
  device_time: 'date?',
  created_at: 'date',
  act_kind: 'string?',
  act_id: 'string?',
});
const messages = typedRows<MessageRow>({ ...storedMessages.kinds, sender_name: 'string', sender_title: 'string?' });

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    chat_id: row.chat_id,
    seq: row.seq,
    client_id: row.client_id,
    sender: { id: row.sender_id, name: row.sender_name, title: row.sender_title },
    kind: row.kind,
    body: row.body,
    reply_to: row.reply_to,
    device_time: row.device_time?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ...(row.act_kind && row.act_id ? { act: { kind: row.act_kind, id: row.act_id } } : {}),
  };
}

export interface Line {
  readonly chatId: string;
  readonly sender: Message['sender'];
  readonly body: string;
  readonly act?: MessageAct | undefined;
}

/** Writes what was done to a chat into the chat, in the transaction that does it (CHAT-7). */
export async function appendLine(tx: DatabaseTransaction, { chatId, sender, body, act }: Line): Promise<Message> {
  const query = sql`
    select ${messageColumns} from append_message(${newId()}::uuid, ${chatId}::uuid, ${sender.id}::uuid, ${newId()}::uuid, 'system', ${body},
      with_act_kind => ${act?.kind ?? null}, with_act_id => ${act?.id ?? null}::uuid) as m`;
  const row = await storedMessages.first(tx, query);
  if (!row) throw new Error('a system line was not stored');
  return toMessage({ ...row, sender_name: sender.name, sender_title: sender.title });
}

/** Who may read is part of the statement: nothing is read for somebody who was just removed. */
export interface MessagePage {
  readonly chatId: string;
  readonly userId: string;
  readonly limit: number;
}

/** The first messages after a seq, ascending. */
export function listMessagesAfter(db: Database, page: MessagePage, seq: number): Promise<Message[]> {
  return readPage(db, page, { past: sql`m.seq > ${seq}`, order: sql`m.seq` });
}

/** The last messages before a seq, or of all, ascending. */
export async function listMessagesBefore(db: Database, page: MessagePage, seq: number | null): Promise<Message[]> {
  const past = seq === null ? sql`true` : sql`m.seq < ${seq}`;
  return readPage(db, page, { past, order: sql`m.seq desc` });
}

async function readPage(
  db: Database,
  { chatId, userId, limit }: MessagePage,
  { past, order }: { past: RawBuilder<unknown>; order: RawBuilder<unknown> },
): Promise<Message[]> {
  const query = sql`
    with page as (
      select m.* from active_participants as p
      join messages as m on m.chat_id = p.chat_id and m.seq > p.joined_seq
      where p.chat_id = ${chatId} and p.user_id = ${userId} and ${past}
      order by ${order} limit ${limit}
    )
    select ${messageColumns}, sender.name as sender_name, place.title as sender_title
    from page as m join users as sender on sender.id = m.sender_id
    left join memberships as place
      on place.user_id = m.sender_id and place.facility_id = m.facility_id and place.ended_at is null
    order by m.seq`;
  return (await messages.read(db, query)).map(toMessage);
}
