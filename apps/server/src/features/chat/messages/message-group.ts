import type { Chat, LastMessage, Message, ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import { type RawBuilder, sql } from 'kysely';
import type { ChatChange } from '#/features/chat/core/chat-queries.ts';
import { type MessageRow, toMessage, UNCHANGED } from '#/features/chat/core/message-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { WriteGroup } from '#/platform/http/context.ts';
import { createWriteGroup, type GroupedRow } from '#/platform/http/writes/write-group.ts';
import { newId } from '#/platform/new-id.ts';
import { RecentlyUsed } from '#/platform/recently-used.ts';

export interface Draft {
  readonly chatId: string;
  readonly senderId: string;
  readonly clientId: string;
  readonly body: string;
  readonly replyTo: string | null;
  readonly deviceTime: string | null;
  /** Null where nobody is mentioned. */
  readonly mentions: readonly MentionTarget[] | null;
  /** Ids of files that were uploaded for it; null where there is none. */
  readonly attachments: readonly string[] | null;
}

export interface MentionTarget {
  readonly kind: 'user' | 'role' | 'all';
  readonly id: string | null;
}

interface Found {
  /** As the statement found it under the chat's lock. */
  readonly facilityId: string;
  readonly state: Chat['state'];
  readonly participant: { readonly userId: string; readonly access: ParticipantAccess };
}

/** What came of a draft. */
export type SentMessage = Found &
  (
    | {
        readonly outcome: 'stored';
        readonly message: Message;
        /** What the list of chats is told of all that were stored together: with the last of them, else null. */
        readonly changes: ChatChange | null;
      }
    /** A repeat's message is asked for: it may have changed meanwhile. */
    | { readonly outcome: 'repeat' | 'refused' | 'no_reply_target' | 'no_mention_target' | 'no_attachment' }
  );

/** The queue of sends, by chat; null for who is not in such a chat. */
export type MessageGroup = WriteGroup<Draft, SentMessage | null>;

/** Of as many chats it is remembered who is in them; the version says whether that still holds. */
const REMEMBERED_CHATS = 2_000;

interface KnownParticipants {
  readonly version: number;
  readonly ids: readonly string[];
}

export function createMessageGroup(db: Database): MessageGroup {
  const participants = new RecentlyUsed<string, KnownParticipants>(REMEMBERED_CHATS);
  return createWriteGroup<Draft, SentMessageRow, SentMessage | null>(db, {
    statement(chatId, drafts) {
      const known = participants.get(chatId);
      return {
        query: sendMessagesQuery(chatId, known?.version ?? null, drafts),
        outcomes: (rows) =>
          rows.map((row) => {
            const changes = toChatChange(chatId, row, { known, mentioned: mentionedIn(rows) });
            if (changes && row.participants_version !== null) {
              participants.set(chatId, { version: row.participants_version, ids: changes.participant_ids });
            }
            return toSentMessage(chatId, row, changes);
          }),
      };
    },
    identityOf: ({ senderId, clientId }) => `${senderId} ${clientId}`,
    bytesOf: ({ body }) => Buffer.byteLength(body),
  });
}

/** Stores one draft in the transaction of something that goes with it; null for who is not in such a chat. */
export async function storeMessage(tx: DatabaseTransaction, draft: Draft): Promise<SentMessage | null> {
  const { rows } = await sendMessagesQuery(draft.chatId, null, [draft]).execute(tx);
  const [row] = rows;
  return row
    ? toSentMessage(
        draft.chatId,
        row,
        toChatChange(draft.chatId, row, { known: undefined, mentioned: mentionedIn(rows) }),
      )
    : null;
}

/** As send_messages answers; where nothing is stored, what is said of a message is null. */
interface SentMessageRow extends Omit<MessageRow, 'chat_id' | keyof typeof UNCHANGED>, GroupedRow {
  readonly id: string;
  readonly outcome: SentMessage['outcome'] | null;
  readonly access: ParticipantAccess;
  readonly state: Chat['state'];
  readonly facility_id: string;
  readonly version: number;
  readonly last_message: LastMessage | null;
  readonly sender_ids: string[] | null;
  readonly participants_version: number | null;
  readonly participant_ids: string[] | null;
}

const rowsWithMessage = typedRows<SentMessageRow>({
  place: 'number',
  outcome: 'string?',
  access: 'string',
  state: 'string',
  facility_id: 'string',
  version: 'number',
  sender_name: 'string',
  sender_title: 'string?',
  id: 'string',
  seq: 'number',
  client_id: 'string',
  sender_id: 'string',
  kind: 'string',
  body: 'string',
  reply_to: 'string?',
  reply_to_seq: 'number?',
  device_time: 'date?',
  created_at: 'date',
  mentions: 'array?',
  attachments: 'array?',
  sender_role: 'string?',
  last_message: 'json?',
  sender_ids: 'array?',
  participants_version: 'number?',
  participant_ids: 'array?',
  is_changed: 'boolean',
  audit_detail: 'json?',
});

/**
 * The hot path, one statement: apps/server/db/functions/chat/messages/send_messages.sql. It works for all its senders, so the
 * second wall is asked about each by wall_senders.
 */
function sendMessagesQuery(
  chatId: string,
  knownVersion: number | null,
  drafts: readonly Draft[],
): RawBuilder<SentMessageRow> {
  const column = <Value>(of: (draft: Draft) => Value) => drafts.map(of);
  return sql<SentMessageRow>`
    select *, outcome is not distinct from 'stored' as is_changed,
      jsonb_build_object('chat', ${chatId}::uuid, 'seq', seq) as audit_detail
    from send_messages(${chatId}::uuid, ${knownVersion}::integer, ${column(() => newId())}::uuid[],
      wall_senders(${chatId}::uuid, ${column((draft) => draft.senderId)}::uuid[]),
      ${column((draft) => draft.clientId)}::uuid[],
      ${column((draft) => draft.body)}::text[], ${column((draft) => draft.replyTo)}::uuid[],
      ${column((draft) => draft.deviceTime)}::timestamptz[],
      ${column((draft) => draft.mentions && JSON.stringify(draft.mentions))}::jsonb[],
      ${column((draft) => draft.attachments && JSON.stringify(draft.attachments))}::jsonb[])`;
}

/** Whom the messages that were stored mention; a role is who holds it. */
function mentionedIn(rows: readonly SentMessageRow[]): 'all' | string[] {
  const said = rows.flatMap(({ outcome, mentions }) => (outcome === 'stored' ? (mentions ?? []) : []));
  if (said.some(({ kind }) => kind === 'all')) return 'all';
  return said.flatMap(({ kind, id, holder_id }) => (kind === 'role' ? holder_id : id) ?? []);
}

interface Told {
  readonly known: KnownParticipants | undefined;
  readonly mentioned: 'all' | readonly string[];
}

function toChatChange(chatId: string, row: SentMessageRow, { known, mentioned }: Told): ChatChange | null {
  const { facility_id, version, seq, last_message, sender_ids } = row;
  if (sender_ids === null) return null;
  const participant_ids = row.participant_ids ?? known?.ids ?? [];
  return { chat_id: chatId, facility_id, version, head_seq: seq, last_message, sender_ids, mentioned, participant_ids };
}

function toSentMessage(chatId: string, row: SentMessageRow, changes: ChatChange | null): SentMessage | null {
  const { outcome, state, access, facility_id: facilityId, sender_id: userId } = row;
  if (outcome === null) return null;
  const found = { facilityId, state, participant: { userId, access } };
  if (outcome !== 'stored') return { ...found, outcome };
  rowsWithMessage.check(row);
  return { ...found, outcome, message: toMessage({ ...row, ...UNCHANGED, chat_id: chatId }), changes };
}
