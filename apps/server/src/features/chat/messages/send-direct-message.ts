import type * as contract from '@wardline/contract/chat/chat.ts';
import type { AskedUrgent, Message } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import {
  type ChatChange,
  type ChatRecord,
  findChat,
  lockChat,
  storeChatChange,
} from '#/features/chat/core/chat-queries.ts';
import { findDirectChat } from '#/features/chat/core/direct-chats.ts';
import { type DirectPair, directChatId, pairOf } from '#/features/chat/core/direct-pair.ts';
import { inUtc } from '#/features/chat/core/in-utc.ts';
import { assertSameMessage, findOwnMessage } from '#/features/chat/core/message-queries.ts';
import { holdMembers } from '#/features/chat/core/participant-queries.ts';
import { createChatIn } from '#/features/chat/core/policy.ts';
import { requireChat, requireFacility, requireReadable } from '#/features/chat/core/require-chat.ts';
import { prepareUrgent, startUrgent } from '#/features/chat/urgent/start-urgent.ts';
import type { RingDeps } from '#/features/chat/urgent/who-to-call.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import { type Draft, storeMessage } from './message-group.ts';
import { refuse, requireOnce } from './send-message.ts';
import { appendLines } from './system-lines.ts';

type Endpoint = typeof contract.sendDirectMessage;

/** A message to one person. The chat of the two is made with its first message; who left the facility and is back is in it again. */
export function sendDirectMessage(ringing: RingDeps) {
  return (ctx: RequestContext, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => send(ctx, input, ringing);
}

async function send(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
  { ring }: RingDeps,
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
    attachments: requireOnce(body.attachments),
    deviceTime: inUtc(body.device_time),
  };
  const urgent = body.urgent ?? null;
  const stored = knownId && (await findOwnMessage(db, { ...draft, chatId: knownId }));
  // However late the repeat comes, and whoever has left meanwhile.
  if (stored) {
    const message = assertSameMessage(stored, { ...draft, urgent });
    return { chat: await requireOwnChat(db, actor.userId, message.chat_id), message };
  }

  return write('chat.direct.send', async (tx) => {
    const members = await holdMembers(tx, facilityId, [pair.low, pair.high]);
    if (!members.has(actor.userId) || !members.has(otherId)) throw new AppError('not_found');
    if (knownId === null) await authorizeNow(tx, actor, createChatIn, { facilityId });
    const chatId = await insertDirectChat(tx, { facilityId, pair, createdBy: actor.userId });
    await lockChat(tx, chatId);
    const newcomers = await letIn(tx, { chatId, facilityId, people: [pair.low, pair.high] });
    const chat = await requireChat(tx, { actor, chatId });
    const { title, state, version } = chat;
    const isClosed = state !== 'open';
    if (isClosed) await storeChatChange(tx, chatId, { title, state: 'open', version: version + 1 });
    const lines = await appendLines(tx, { actor, chatId, facilityId }, isClosed ? ['reopened the chat'] : []);
    const { message, isNew, changes, called } = await storeDirectMessage(tx, { actor, chat, draft, urgent, ring });
    const result = { chat: await requireOwnChat(tx, actor.userId, chatId), message };
    if (!isNew && newcomers.length === 0 && !isClosed) return { result, audit: null };
    const added = { facility_id: facilityId, chat_id: chatId, change: 'added' } as const;
    const detail = { chat: chatId, seq: message.seq, people: newcomers.length, ...(urgent && { urgent }) };
    return {
      result,
      audit: { facilityId, objectType: 'message', objectId: message.id, detail },
      publish: [
        ...newcomers.map((userId) => membershipChanged(userId, added)),
        ...lines.flatMap(messageSent),
        ...messageSent(message),
        ...(changes ? chatChanged(changes) : []),
      ],
      ...(called && { publishToAll: called }),
    };
  });
}

interface Storing extends Pick<RingDeps, 'ring'> {
  readonly actor: Actor;
  readonly chat: ChatRecord;
  readonly draft: Omit<Draft, 'chatId'>;
  readonly urgent: AskedUrgent | null;
}

interface Stored {
  readonly message: Message;
  /** False for a repeat. */
  readonly isNew: boolean;
  readonly changes: ChatChange | null;
  /** What those are told who are called, and the list of chats with it; null where nobody is. */
  readonly called: readonly Publication[] | null;
}

/** The message, and of an urgent one the first step of its ladder. */
export async function storeDirectMessage(
  tx: DatabaseTransaction,
  { actor, chat, draft, urgent, ring }: Storing,
): Promise<Stored> {
  // In a chat of two no role is called, so nothing of it has to be held before the chat's lock; with a role its holder is held.
  const start = urgent && (await prepareUrgent(tx, { actor, chat, urgent }));
  const inChat = { ...draft, chatId: chat.id };
  const sent = requireReadable(actor, await storeMessage(tx, inChat));
  if (sent.outcome === 'repeat') {
    const before = await findOwnMessage(tx, inChat);
    if (before === null) throw new AppError('forbidden');
    return { message: assertSameMessage(before, { ...draft, urgent }), isNew: false, changes: null, called: null };
  }
  if (sent.outcome !== 'stored') return refuse(actor, sent);
  if (!start) return { message: sent.message, isNew: true, changes: sent.changes, called: null };
  const { message, publishToAll } = await startUrgent(tx, start, { sent: sent.message, ring });
  return { message, isNew: true, changes: null, called: publishToAll };
}

export async function requireOwnChat(db: Database, userId: string, chatId: string) {
  const chat = await findChat(db, userId, chatId);
  if (chat === null) throw new AppError('not_found');
  return chat;
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

/** Puts these in by themselves, or back in; answers who was not. */
export async function letIn(
  tx: DatabaseTransaction,
  { chatId, facilityId, people }: { chatId: string; facilityId: string; people: readonly string[] },
): Promise<string[]> {
  const query = sql`
    insert into chat_participants as p (chat_id, user_id, facility_id, access)
    select ${chatId}, user_id, ${facilityId}, 'write' from unnest(${people}::uuid[]) as user_id
    on conflict (chat_id, user_id) do update set left_at = null where p.left_at is not null
    returning user_id`;
  return (await letInRows.read(tx, query)).map((row) => row.user_id);
}
