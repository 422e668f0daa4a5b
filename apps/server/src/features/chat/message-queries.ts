import type { Chat, LastMessage, Message, MessageAct, ParticipantAccess } from '@wardline/contract/chat.ts';
import { type RawBuilder, sql } from 'kysely';
import type { AuditedRow } from '#/platform/context.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/ids/new-id.ts';
import type { ChatNews } from './chat-queries.ts';

interface MessageRow {
  readonly id: string;
  readonly chat_id: string;
  readonly seq: number;
  readonly client_id: string;
  readonly sender_id: string;
  readonly sender_name: string;
  readonly sender_title: string | null;
  readonly kind: Message['kind'];
  readonly body: string;
  readonly reply_to: string | null;
  readonly device_time: Date | null;
  readonly created_at: Date;
  /** What a person sends has none. */
  readonly act_kind?: MessageAct['kind'] | null;
  readonly act_id?: string | null;
}

function toMessage(row: MessageRow): Message {
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

export interface Draft {
  readonly chatId: string;
  readonly senderId: string;
  readonly clientId: string;
  readonly body: string;
  readonly replyTo: string | null;
  readonly deviceTime: string | null;
}

export interface Sending {
  readonly outcome: 'stored' | 'repeat' | 'refused' | 'no_reply_target';
  readonly facilityId: string;
  readonly state: Chat['state'];
  readonly participant: { readonly userId: string; readonly access: ParticipantAccess };
  /** The stored message; null where none was. */
  readonly message: Message | null;
  readonly news: ChatNews;
}

export interface SendingRow extends MessageRow, AuditedRow {
  readonly id: string;
  readonly outcome: Sending['outcome'] | null;
  readonly access: ParticipantAccess;
  readonly state: Chat['state'];
  readonly facility_id: string;
  readonly version: number;
  readonly last_message: LastMessage | null;
  readonly participant_ids: string[] | null;
}

/** The hot path, one statement: apps/server/db/functions/chat/send_message.sql. */
export function sending(draft: Draft): RawBuilder<SendingRow> {
  const { chatId, senderId, clientId } = draft;
  return sql<SendingRow>`
    select *, outcome = 'stored' as is_changed, jsonb_build_object('chat', ${chatId}::uuid, 'seq', seq) as audit_detail
    from send_message(${newId()}::uuid, ${chatId}::uuid, ${senderId}::uuid, ${clientId}::uuid, ${draft.body},
      ${draft.replyTo}::uuid, ${draft.deviceTime}::timestamptz)`;
}

/** What came of it; null where the sender is not in such a chat. */
export function toSending(row: SendingRow | undefined, { chatId, senderId, clientId }: Draft): Sending | null {
  if (!row || row.outcome === null) return null;
  const { outcome, state, access, facility_id, version, last_message } = row;
  const hasMessage = outcome === 'stored' || outcome === 'repeat';
  return {
    outcome,
    state,
    facilityId: facility_id,
    participant: { userId: senderId, access },
    message: hasMessage ? toMessage({ ...row, chat_id: chatId, sender_id: senderId, client_id: clientId }) : null,
    news: {
      chat_id: chatId,
      facility_id,
      version,
      last_message,
      head_seq: row.seq,
      participant_ids: row.participant_ids ?? [],
    },
  };
}

/** The message that was stored under this client_id, by somebody who is still in the chat. */
export async function findOwnMessage(db: Database, { chatId, senderId, clientId }: Draft): Promise<Message | null> {
  const { rows } = await sql<MessageRow>`
    select m.*, sender.name as sender_name, p.title as sender_title
    from active_participants as p
    join messages as m on m.chat_id = p.chat_id and m.sender_id = p.user_id and m.client_id = ${clientId}
    join users as sender on sender.id = m.sender_id
    where p.chat_id = ${chatId} and p.user_id = ${senderId}`.execute(db);
  return rows[0] ? toMessage(rows[0]) : null;
}

export interface Line {
  readonly chatId: string;
  readonly sender: Message['sender'];
  readonly body: string;
  readonly act?: MessageAct | undefined;
}

/** Writes what was done to a chat into the chat, in the transaction that does it (CHAT-7). */
export async function appendLine(tx: DatabaseTransaction, { chatId, sender, body, act }: Line): Promise<Message> {
  const { rows } = await sql<MessageRow>`
    select * from append_message(${newId()}::uuid, ${chatId}::uuid, ${sender.id}::uuid, ${newId()}::uuid, 'system', ${body},
      with_act_kind => ${act?.kind ?? null}, with_act_id => ${act?.id ?? null}::uuid)`.execute(tx);
  const [row] = rows;
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
  const { rows } = await sql<MessageRow>`
    with page as (
      select m.* from active_participants as p
      join messages as m on m.chat_id = p.chat_id and m.seq > p.joined_seq
      where p.chat_id = ${chatId} and p.user_id = ${userId} and ${past}
      order by ${order} limit ${limit}
    )
    select page.*, sender.name as sender_name, place.title as sender_title
    from page join users as sender on sender.id = page.sender_id
    left join memberships as place
      on place.user_id = page.sender_id and place.facility_id = page.facility_id and place.ended_at is null
    order by page.seq`.execute(db);
  return rows.map(toMessage);
}
