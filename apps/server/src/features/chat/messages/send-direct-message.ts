import type * as contract from '@wardline/contract/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { findChat, lockChat, storeChatChange } from '#/features/chat/core/chat-queries.ts';
import { type DirectPair, directChatId, pairOf } from '#/features/chat/core/direct-pair.ts';
import { assertSameMessage, findOwnMessage } from '#/features/chat/core/message-queries.ts';
import { holdMembers } from '#/features/chat/core/participant-queries.ts';
import { createChatIn } from '#/features/chat/core/policy.ts';
import { requireChat, requireFacility, requireReadable } from '#/features/chat/core/require-chat.ts';
import { storableInstant } from '#/features/chat/core/storable-time.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import { type Draft, storeMessage } from './message-group.ts';
import { appendLines } from './system-lines.ts';

type Endpoint = typeof contract.sendDirectMessage;

/** A message to one person. The chat of the two is made with its first message; who left the facility and is back is in it again. */
export async function sendDirectMessage(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId, user: otherId } = params;
  requireFacility(actor, facilityId);
  if (otherId === actor.userId) throw new AppError('unprocessable', { message: 'You can’t write to yourself.' });
  const pair = pairOf(actor.userId, otherId);
  const knownId = await findDirectChat(db, facilityId, pair);
  // To begin is to create; to answer needs nothing but the chat.
  if (knownId === null) authorize(actor, createChatIn, { facilityId });
  const draft: Omit<Draft, 'chatId'> = {
    senderId: actor.userId,
    clientId: body.client_id,
    body: body.body,
    replyTo: null,
    mentions: null,
    attachments: null,
    deviceTime: storableInstant('device_time', body.device_time),
  };
  const stored = knownId && (await findOwnMessage(db, { ...draft, chatId: knownId }));
  // However late the repeat comes, and whoever has left meanwhile.
  if (stored) {
    const message = assertSameMessage(stored, draft);
    return { chat: await requireMine(db, actor.userId, message.chat_id), message };
  }

  return write('chat.direct.send', async (tx) => {
    const members = await holdMembers(tx, facilityId, [pair.low, pair.high]);
    if (!members.has(actor.userId) || !members.has(otherId)) throw new AppError('not_found');
    const chatId = await insertDirectChat(tx, { facilityId, pair, createdBy: actor.userId });
    await lockChat(tx, chatId);
    const newcomers = await letIn(tx, { chatId, facilityId, pair });
    const { title, state, version } = await requireChat(tx, { actor, chatId });
    const isClosed = state !== 'open';
    if (isClosed) await storeChatChange(tx, chatId, { title, state: 'open', version: version + 1 });
    const lines = await appendLines(tx, { actor, chatId, facilityId }, isClosed ? ['reopened the chat'] : []);
    const sent = requireReadable(actor, await storeMessage(tx, { ...draft, chatId }));
    const before = sent.outcome === 'repeat' ? await findOwnMessage(tx, { ...draft, chatId }) : null;
    const message = sent.outcome === 'stored' ? sent.message : before && assertSameMessage(before, draft);
    if (message === null) throw new AppError('forbidden');
    const result = { chat: await requireMine(tx, actor.userId, chatId), message };
    if (sent.outcome === 'repeat' && newcomers.length === 0 && !isClosed) return { result, audit: null };
    const added = { facility_id: facilityId, chat_id: chatId, change: 'added' } as const;
    const detail = { chat: chatId, seq: message.seq, people: newcomers.length };
    return {
      result,
      audit: { facilityId, objectType: 'message', objectId: message.id, detail },
      publish: [
        ...newcomers.map((userId) => membershipChanged(userId, added)),
        ...lines.flatMap(messageSent),
        ...messageSent(message),
        ...(sent.outcome === 'stored' && sent.changes ? chatChanged(sent.changes) : []),
      ],
    };
  });
}

async function requireMine(db: Database, userId: string, chatId: string) {
  const chat = await findChat(db, userId, chatId);
  if (chat === null) throw new AppError('not_found');
  return chat;
}

async function findDirectChat(db: Database, facilityId: string, { low, high }: DirectPair): Promise<string | null> {
  const found = await db
    .selectFrom('chats')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('direct_low', '=', low)
    .where('direct_high', '=', high)
    .executeTakeFirst();
  return found?.id ?? null;
}

interface Opening {
  readonly facilityId: string;
  readonly pair: DirectPair;
  readonly createdBy: string;
}

/** The chat of the pair, made where there is none: of two who write first at the same moment, one waits for the other's. */
async function insertDirectChat(tx: DatabaseTransaction, { facilityId, pair, createdBy }: Opening): Promise<string> {
  await tx
    .insertInto('chats')
    .values({
      id: directChatId(facilityId, pair),
      facility_id: facilityId,
      kind: 'direct',
      // Never shown: each sees the other's name.
      title: 'Direct chat',
      direct_low: pair.low,
      direct_high: pair.high,
      created_by: createdBy,
      client_id: newId(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const chatId = await findDirectChat(tx, facilityId, pair);
  if (chatId === null) throw new Error('a direct chat is neither there nor could it be made');
  return chatId;
}

const letInRows = typedRows<{ user_id: string }>({ user_id: 'string' });

/** Puts the two in, or back in; answers who was not. */
async function letIn(
  tx: DatabaseTransaction,
  { chatId, facilityId, pair }: { chatId: string; facilityId: string; pair: DirectPair },
): Promise<string[]> {
  const query = sql`
    insert into chat_participants as p (chat_id, user_id, facility_id, access)
    select ${chatId}, user_id, ${facilityId}, 'write' from unnest(${[pair.low, pair.high]}::uuid[]) as user_id
    on conflict (chat_id, user_id) do update set left_at = null where p.left_at is not null
    returning user_id`;
  return (await letInRows.read(tx, query)).map((row) => row.user_id);
}
