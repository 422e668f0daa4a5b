import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import type {
  AskedUrgent,
  CitedFinding,
  Forwarded,
  Mention,
  Message,
  MessageAct,
  Reaction,
} from '@wardline/contract/chat/chat.ts';
import { PINS_MAX } from '@wardline/contract/chat/chat-changes.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import type { Urgent } from '@wardline/contract/chat/urgent.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Messages } from '#/platform/db/types.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { newId } from '#/platform/new-id.ts';

type StoredColumns = Omit<
  Selectable<Messages>,
  'facility_id' | 'reactions' | 'mentions' | 'pinned' | 'forwarded' | 'attachments' | 'urgent' | 'citations'
>;

/** As it is kept; where it was taken from is told to nobody without a look at what they may read. */
export interface StoredForward extends Forwarded {
  readonly source: { readonly chat_id: string; readonly message_id: string };
}

interface StoredMessage extends StoredColumns {
  readonly kind: Message['kind'];
  readonly reactions: readonly Reaction[] | null;
  readonly mentions: readonly Mention[] | null;
  readonly attachments: readonly Attachment[] | null;
  readonly pinned: NonNullable<Message['pinned']> | null;
  readonly forwarded: StoredForward | null;
  readonly urgent: Urgent | null;
  readonly citations: readonly Citation[] | null;
  /** What a person sends has none. */
  readonly act_kind: MessageAct['kind'] | null;
}

export interface MessageRow extends StoredMessage {
  readonly reply_to_seq: number | null;
  readonly sender_name: string;
  readonly sender_title: string | null;
}

/** `m` is the message in the query that they are put into. */
const messageColumns = sql`
  m.id, m.chat_id, m.seq, m.client_id, m.sender_id, m.kind, m.body, m.reply_to, m.device_time, m.created_at,
  m.act_kind, m.act_id, m.change_seq, m.reactions, m.version, m.edited_at, m.deleted_at, m.delete_reason, m.is_expired,
  m.mentions, m.attachments, m.pinned, m.forwarded, m.urgent, m.citations, m.sender_role`;

/** Where the message stands that `m` answers: one look-up by key, for answers alone. */
const answered = sql`(select q.seq from messages as q where q.id = m.reply_to) as reply_to_seq`;

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
  change_seq: 'number',
  reactions: 'array?',
  version: 'number',
  edited_at: 'date?',
  deleted_at: 'date?',
  delete_reason: 'string?',
  is_expired: 'boolean',
  mentions: 'array?',
  attachments: 'array?',
  pinned: 'json?',
  forwarded: 'json?',
  urgent: 'json?',
  citations: 'array?',
  sender_role: 'string?',
});
const messages = typedRows<MessageRow>({
  ...storedMessages.kinds,
  reply_to_seq: 'number?',
  sender_name: 'string',
  sender_title: 'string?',
});

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    chat_id: row.chat_id,
    seq: row.seq,
    client_id: row.client_id,
    sender: { id: row.sender_id, name: row.sender_name, title: row.sender_title },
    ...(row.sender_role === null ? {} : { sender_role: row.sender_role }),
    kind: row.kind,
    body: row.body,
    reply_to: row.reply_to,
    ...(row.reply_to_seq === null ? {} : { reply_to_seq: row.reply_to_seq }),
    device_time: row.device_time?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ...(row.act_kind && row.act_id ? { act: { kind: row.act_kind, id: row.act_id } } : {}),
    ...(row.mentions ? { mentions: [...row.mentions] } : {}),
    ...(row.forwarded && !row.deleted_at ? { forwarded: toForwarded(row.forwarded) } : {}),
    ...(row.attachments ? { attachments: [...row.attachments] } : {}),
    ...(row.citations && !row.deleted_at ? { citations: [...row.citations] } : {}),
    ...(row.pinned ? { pinned: row.pinned } : {}),
    ...(row.urgent && !row.deleted_at ? { urgent: row.urgent } : {}),
    ...(row.change_seq > 0 ? { change_seq: row.change_seq } : {}),
    ...(row.reactions && row.reactions.length > 0 ? { reactions: [...row.reactions] } : {}),
    ...(row.edited_at ? { version: row.version, edited_at: row.edited_at.toISOString() } : {}),
    ...(row.deleted_at ? { deleted: toDeleted(row.deleted_at, row) } : {}),
  };
}

function toDeleted(at: Date, { delete_reason, is_expired }: Pick<MessageRow, 'delete_reason' | 'is_expired'>) {
  return { at: at.toISOString(), reason: delete_reason ?? '', ...(is_expired && { is_expired }) };
}

/** What all who read the chat see of a forward. */
export function toForwarded({ sender, sent_at, patient }: StoredForward): Forwarded {
  return { sender, sent_at, patient };
}

/** What a message that was just sent has none of. */
export const UNCHANGED = {
  ...{ act_kind: null, act_id: null, change_seq: 0, reactions: null, version: 1 },
  ...{ edited_at: null, deleted_at: null, delete_reason: null, is_expired: false, pinned: null, forwarded: null },
  ...{ urgent: null, citations: null },
} as const;

export interface OwnMessage {
  /** As it stands. */
  readonly message: Message;
  /** As it was sent, whatever became of it. */
  readonly sentBody: string;
  /** What it was forwarded from; null where it was not. */
  readonly source: StoredForward['source'] | null;
}

const ownMessages = typedRows<MessageRow & { readonly sent_body: string }>({ ...messages.kinds, sent_body: 'string' });

interface SentAs {
  readonly body: string;
  readonly replyTo: string | null;
  readonly attachments?: readonly string[] | null;
  readonly urgent?: AskedUrgent | null;
  readonly cites?: readonly CitedFinding[];
}

/** Another text under the client_id of a message that was sent is refused; a repeat is answered with what it has become. What was emptied for its age is not known any more, and no device still sends it by mistake. */
export function assertSameMessage(
  { message, sentBody, source }: OwnMessage,
  { body, replyTo, attachments = null, urgent = null, cites = [] }: SentAs,
): Message {
  if (message.deleted?.is_expired) return message;
  const sent = message.attachments?.map(({ id }) => id) ?? [];
  const isSame =
    source === null &&
    sentBody === body &&
    message.reply_to === replyTo &&
    (message.deleted ||
      (String(sent) === String(attachments ?? []) &&
        namesOf(message.citations ?? []) === namesOf(cites) &&
        asksTheSame(message.urgent ?? null, urgent)));
  if (!isSame) throw new AppError('client_id_reused');
  return message;
}

function namesOf(cites: readonly CitedFinding[]): string {
  return cites
    .map(({ examination_id, field, report_version }) => `${examination_id} ${report_version} ${field}`)
    .join();
}

function asksTheSame(sent: Urgent | null, asked: AskedUrgent | null): boolean {
  if (sent === null || asked === null) return sent === asked;
  const wanted = [...new Set(asked.targets.people)].sort().join();
  const called = sent.targets.people.map(({ user_id }) => user_id).sort();
  return wanted === called.join() && asked.targets.role_id === (sent.targets.role?.id ?? null);
}

/** The message that was stored under this client_id, by somebody who is still in the chat. */
export async function findOwnMessage(
  db: Database,
  { chatId, senderId, clientId }: { chatId: string; senderId: string; clientId: string },
): Promise<OwnMessage | null> {
  const query = sql`
    select ${messageColumns}, ${answered}, sender.name as sender_name, p.title as sender_title,
      coalesce((select v.body from message_versions as v where v.message_id = m.id and v.version = 1), m.body) as sent_body
    from active_participants as p
    join messages as m on m.chat_id = p.chat_id and m.sender_id = p.user_id and m.client_id = ${clientId}
    join users as sender on sender.id = m.sender_id
    where p.chat_id = ${chatId} and p.user_id = ${senderId}`;
  const row = await ownMessages.first(db, query);
  return row ? { message: toMessage(row), sentBody: row.sent_body, source: row.forwarded?.source ?? null } : null;
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
  return storedLine(await storedMessages.first(tx, query), sender);
}

/** A message that the product writes by itself, as people write theirs: it can call people, and devices are told of it. */
export async function appendServerText(
  tx: DatabaseTransaction,
  { chatId, body }: Pick<Line, 'chatId' | 'body'>,
): Promise<Message> {
  const query = sql`
    select ${messageColumns}
    from append_message(${newId()}::uuid, ${chatId}::uuid, ${SERVER_USER.id}::uuid, ${newId()}::uuid, 'text', ${body}) as m`;
  return storedLine(await storedMessages.first(tx, query), { ...SERVER_USER, title: null });
}

function storedLine(row: StoredMessage | undefined, sender: Line['sender']): Message {
  if (!row) throw new Error('a line was not stored');
  return toMessage({ ...row, reply_to_seq: null, sender_name: sender.name, sender_title: sender.title });
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

/** Who sent `m`, and what they are in its facility now. */
const withSender = sql`
  join users as sender on sender.id = m.sender_id
  left join memberships as place
    on place.user_id = m.sender_id and place.facility_id = m.facility_id and place.ended_at is null`;

const placesInChat = typedRows<{ seq: number | null }>({ seq: 'number?' });

/** The first message for me at or after the start of a day where the chat is; null where there is none. */
export async function findFirstOn(db: Database, { chatId, userId }: MessagePage, day: string): Promise<number | null> {
  const query = sql`
    select first_message_since(p.chat_id, p.joined_seq, ${day}::date::timestamp at time zone f.time_zone) as seq
    from active_participants as p join facilities as f on f.id = p.facility_id
    where p.chat_id = ${chatId} and p.user_id = ${userId}`;
  return (await placesInChat.first(db, query))?.seq ?? null;
}

/** What changed after a change, each once as it stands now, in the order of the changes. */
export function listChangedMessages(db: Database, page: MessagePage, changeSeq: number): Promise<Message[]> {
  // The first condition is the index's own.
  const past = sql`m.change_seq > 0 and m.change_seq > ${changeSeq}`;
  return readPage(db, page, { past, order: sql`m.change_seq`, sorted: sql`m.change_seq` });
}

/** The pinned messages of a chat, the newest pin first. */
export function listPinnedMessages(db: Database, page: Omit<MessagePage, 'limit'>): Promise<Message[]> {
  const newest = sql`m.pinned ->> 'at' desc`;
  return readPage(db, { ...page, limit: PINS_MAX }, { past: sql`m.pinned is not null`, order: newest, sorted: newest });
}

interface RecordPage {
  readonly chatId: string;
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** The next messages of a chat up to a seq, for the record: whoever asks was found to answer for it, and need not be in the chat. */
export async function listMessagesOfRecord(db: Database, page: RecordPage): Promise<Message[]> {
  const { chatId, after, upTo, limit } = page;
  const query = sql`
    select ${messageColumns}, ${answered}, sender.name as sender_name, place.title as sender_title
    from messages as m ${withSender}
    where m.chat_id = ${chatId} and m.seq > ${after} and m.seq <= ${upTo} order by m.seq limit ${limit}`;
  return (await messages.read(db, query)).map(toMessage);
}

/** What people wrote and did not delete. */
const said = sql`m.kind = 'text' and m.deleted_at is null`;
const MOST_NOTABLE = 20;

export interface NotableMessages {
  readonly urgent: readonly Message[];
  readonly pinned: readonly Message[];
  readonly latest: readonly Message[];
  /** Those that were asked for by their ids. */
  readonly named: readonly Message[];
}

/** What whoever takes over has to know of first: what is urgent and not over, what is pinned, what was said last. */
export async function listNotableMessages(
  db: Database | DatabaseTransaction,
  { ids, ...place }: Omit<MessagePage, 'limit'> & { readonly ids: readonly string[] },
): Promise<NotableMessages> {
  const page = { ...place, limit: MOST_NOTABLE };
  const newest = { order: sql`m.seq desc` };
  const open = sql`m.urgent ->> 'state' in ('calling', 'exhausted', 'accepted')`;
  return {
    urgent: await readPage(db, page, { ...newest, past: sql`${said} and ${open}` }),
    pinned: await readPage(db, page, { ...newest, past: sql`${said} and m.pinned is not null` }),
    latest: await readPage(db, page, { ...newest, past: said }),
    named: await readPage(
      db,
      { ...place, limit: ids.length },
      { ...newest, past: sql`${said} and m.id = any(${ids}::uuid[])` },
    ),
  };
}

/** One message, for somebody who may read it; null for anybody else. */
export async function findMessage(
  db: Database | DatabaseTransaction,
  { chatId, userId, messageId }: { chatId: string; userId: string; messageId: string },
): Promise<Message | null> {
  const place = { past: sql`m.id = ${messageId}`, order: sql`m.seq` };
  const [message = null] = await readPage(db, { chatId, userId, limit: 1 }, place);
  return message;
}

interface PagePlace {
  readonly past: RawBuilder<unknown>;
  /** Which of those come first, and how the page then stands: by seq unless told otherwise. */
  readonly order: RawBuilder<unknown>;
  readonly sorted?: RawBuilder<unknown>;
}

async function readPage(
  db: Database | DatabaseTransaction,
  { chatId, userId, limit }: MessagePage,
  { past, order, sorted = sql`m.seq` }: PagePlace,
): Promise<Message[]> {
  const query = sql`
    with page as (
      select m.* from active_participants as p
      join messages as m on m.chat_id = p.chat_id and m.seq > p.joined_seq
      where p.chat_id = ${chatId} and p.user_id = ${userId} and ${past}
      order by ${order} limit ${limit}
    )
    select ${messageColumns}, ${answered}, sender.name as sender_name, place.title as sender_title
    from page as m ${withSender}
    order by ${sorted}`;
  return (await messages.read(db, query)).map(toMessage);
}

/** Under the chat's lock: counts a change of the chat's messages, gives the message what it has now, and answers it so. */
export async function storeMessageChange(
  tx: DatabaseTransaction,
  messageId: string,
  assignments: RawBuilder<unknown>,
): Promise<Message> {
  const query = sql`
    with counted as (
      update chats as c set head_change_seq = c.head_change_seq + 1
      from messages as m where m.id = ${messageId} and c.id = m.chat_id returning c.head_change_seq
    ), changed as (
      update messages as m set change_seq = counted.head_change_seq, ${assignments}
      from counted where m.id = ${messageId} returning m.*
    )
    select ${messageColumns}, ${answered}, sender.name as sender_name, place.title as sender_title from changed as m ${withSender}`;
  const row = await messages.first(tx, query);
  if (!row) throw new Error('a message that was found is gone');
  return toMessage(row);
}

/** Under the chat's lock: marks what was just stored as said elsewhere. To its readers it is new, so this is no change of it. */
export async function storeForward(
  tx: DatabaseTransaction,
  messageId: string,
  forwarded: StoredForward,
): Promise<void> {
  await sql`update messages set forwarded = ${JSON.stringify(forwarded)}::jsonb where id = ${messageId}`.execute(tx);
}

const sources = typedRows<{ forwarded: StoredForward | null }>({ forwarded: 'json?' });

/** What a message was forwarded from, whoever may read that; null where it was not, or is deleted. */
export async function findForwardSource(db: Database, messageId: string): Promise<StoredForward['source'] | null> {
  const query = sql`select forwarded from messages where id = ${messageId} and deleted_at is null`;
  return (await sources.first(db, query))?.forwarded?.source ?? null;
}

/** Keeps the text that a message is about to lose; the database refuses to change or remove what is kept. */
export async function keepVersion(tx: DatabaseTransaction, messageId: string): Promise<void> {
  await sql`
    insert into message_versions (message_id, version, body, written_by, written_at)
    select id, version, body, sender_id, coalesce(edited_at, created_at) from messages where id = ${messageId}`.execute(
    tx,
  );
}

const dropped = typedRows<{ user_id: string; delivered_seq: number; read_seq: number; mention_seq: number }>({
  ...{ user_id: 'string', delivered_seq: 'number', read_seq: 'number', mention_seq: 'number' },
});

/** A message calls only these any more; who was last called by it, with their markers as they stand. */
export function keepMentions(tx: DatabaseTransaction, messageId: string, kept: readonly Mention[]) {
  return dropped.read(tx, sql`select * from keep_mentions(${messageId}::uuid, ${JSON.stringify(kept)}::jsonb)`);
}

/** Where the newest message of a chat changed, the row of the list says so; true when it did. */
export async function storeLastMessage(tx: DatabaseTransaction, { id, chat_id, seq }: Message): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update chats as c set last_message = last_message_of(m)
    from messages as m where m.id = ${id} and c.id = ${chat_id} and c.head_seq = ${seq}`.execute(tx);
  return numAffectedRows > 0n;
}
