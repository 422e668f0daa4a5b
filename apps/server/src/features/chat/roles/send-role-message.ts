import type * as contract from '@wardline/contract/chat/chat-roles.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { formatOnCallAs } from '@wardline/format/names.ts';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { lockChat, storeChatChange } from '#/features/chat/core/chat-queries.ts';
import { findRoleChat, type RolePair } from '#/features/chat/core/direct-chats.ts';
import { roleChatId } from '#/features/chat/core/direct-pair.ts';
import { inUtc } from '#/features/chat/core/in-utc.ts';
import { assertSameMessage, findOwnMessage } from '#/features/chat/core/message-queries.ts';
import { holdMembers } from '#/features/chat/core/participant-queries.ts';
import { createChatIn } from '#/features/chat/core/policy.ts';
import { requireChat, requireFacility } from '#/features/chat/core/require-chat.ts';
import type { Draft } from '#/features/chat/messages/message-group.ts';
import { letIn, requireOwnChat, storeDirectMessage } from '#/features/chat/messages/send-direct-message.ts';
import { requireOnce } from '#/features/chat/messages/send-message.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import { findHolder, type RingDeps } from '#/features/chat/urgent/who-to-call.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import type { ChatRolesDeps } from './chat-roles.ts';
import { holdRole, listRolesOfChat, upsertRole } from './role-queries.ts';

type Endpoint = typeof contract.sendRoleMessage;

/**
 * A message to whoever holds an on-call role. The chat of person and role is made with its first message; who holds the role is let
 * in by the clock a moment later, and where nobody does it waits for who takes over.
 */
export function sendRoleMessage({ ring, roleClock }: RingDeps & Pick<ChatRolesDeps, 'roleClock'>) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const { facility: facilityId, role: roleId } = params;
    const { userId } = actor;
    requireFacility(actor, facilityId);
    const place = { facilityId, userId, roleId };
    const knownId = await findRoleChat(db, place);
    if (knownId === null) authorize(actor, createChatIn, { facilityId });
    const draft: Omit<Draft, 'chatId'> = {
      ...{ senderId: userId, clientId: body.client_id, body: body.body, replyTo: null, mentions: null },
      attachments: requireOnce(body.attachments),
      deviceTime: inUtc(body.device_time),
    };
    const urgent = body.urgent ?? null;
    const stored = knownId && (await findOwnMessage(db, { ...draft, chatId: knownId }));
    if (stored) {
      const message = assertSameMessage(stored, { ...draft, urgent });
      return { chat: await requireOwnChat(db, userId, message.chat_id), message };
    }

    return write('chat.direct.send', async (tx) => {
      const name = await holdPlace(tx, { ...place, isNew: knownId === null });
      if (knownId === null) await authorizeNow(tx, actor, createChatIn, { facilityId });
      const { chat, newcomers, lines, isReopened } = await openRoleChat(tx, { actor, ...place, name });
      const { message, isNew, changes, called } = await storeDirectMessage(tx, { actor, chat, draft, urgent, ring });
      const { id: chatId } = chat;
      const result = { chat: await requireOwnChat(tx, userId, chatId), message };
      if (!isNew && newcomers.length === 0 && !isReopened) return { result, audit: null };
      const added = { facility_id: facilityId, chat_id: chatId, change: 'added' } as const;
      const detail = { chat: chatId, seq: message.seq, role: roleId, ...(urgent && { urgent }) };
      return {
        result,
        audit: { facilityId, objectType: 'message', objectId: message.id, detail },
        publish: [
          ...newcomers.map((id) => membershipChanged(id, added)),
          ...lines.flatMap(messageSent),
          ...messageSent(message),
          ...(changes ? chatChanged(changes) : []),
        ],
        ...(called && { publishToAll: called }),
        afterCommit: () => roleClock.look(),
      };
    });
  };
}

/** Before the chat's lock: what the role is called, with it, its holder and the writer held until the commit. */
async function holdPlace(
  tx: DatabaseTransaction,
  { facilityId, userId, roleId, isNew }: RolePair & { readonly isNew: boolean },
): Promise<string> {
  const name = await holdRole(tx, facilityId, roleId);
  const holder = await findHolder(tx, roleId);
  const members = await holdMembers(tx, facilityId, [userId, ...(holder ? [holder.user_id] : [])]);
  if (name === null || !members.has(userId)) throw new AppError('not_found');
  if (isNew && holder?.user_id === userId) {
    throw new AppError('unprocessable', { message: `You are ${formatOnCallAs(name)} yourself.` });
  }
  return name;
}

/** The chat under its lock, open, with the writer and the role in it. */
async function openRoleChat(
  tx: DatabaseTransaction,
  { actor, ...place }: RolePair & { readonly actor: Actor; readonly name: string },
) {
  const { facilityId, userId, roleId } = place;
  const chatId = await insertRoleChat(tx, place);
  await lockChat(tx, chatId);
  const newcomers = await letIn(tx, { chatId, facilityId, people: [userId] });
  const isIn = (await listRolesOfChat(tx, chatId, roleId)).length > 0;
  if (!isIn) await upsertRole(tx, { chatId, facilityId, roleId, access: 'write', joinedSeq: 0, addedBy: userId });
  const chat = await requireChat(tx, { actor, chatId });
  const isReopened = chat.state !== 'open';
  if (isReopened) await storeChatChange(tx, chatId, { title: chat.title, state: 'open', version: chat.version + 1 });
  const lines = await appendLines(tx, { actor, chatId, facilityId }, isReopened ? ['reopened the chat'] : []);
  return { chat, newcomers, lines, isReopened };
}

/** The chat of the person and the role, made where there is none. */
async function insertRoleChat(
  tx: DatabaseTransaction,
  { name, ...place }: RolePair & { name: string },
): Promise<string> {
  const { facilityId, userId, roleId } = place;
  await tx
    .insertInto('chats')
    .values({
      ...{ id: roleChatId(facilityId, userId, roleId), facility_id: facilityId, kind: 'direct', title: name },
      ...{ direct_low: userId, direct_role_id: roleId, created_by: userId, client_id: newId() },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const chatId = await findRoleChat(tx, place);
  if (chatId === null) throw new Error('a direct chat with a role is neither there nor could it be made');
  return chatId;
}
