import type * as contract from '@wardline/contract/chat/chat-management.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { chatChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { findChat, loadChatChange, lockChat, storeChatChange } from '#/features/chat/core/chat-queries.ts';
import { manageChat } from '#/features/chat/core/policy.ts';
import { requireChat, requireManaged } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { transition } from './transition.ts';

type Endpoint = typeof contract.updateChat;

export async function updateChat(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const question = { actor, chatId: params.chat };
  await requireChat(db, question, manageChat);
  return write('chat.update', async (tx) => {
    await lockChat(tx, params.chat);
    const chat = await requireManaged(tx, question);
    const change = transition(chat, body);
    if (change.kind === 'stale') throw new AppError('conflict');
    if (change.kind === 'impossible')
      throw invalidField('state', `A chat that is ${chat.state} can’t change to this state.`);
    const lines =
      change.kind === 'changed'
        ? await appendLines(tx, { ...question, facilityId: chat.facilityId }, change.lines)
        : [];
    if (change.kind === 'changed') await storeChatChange(tx, params.chat, change.next);
    const result = await findChat(tx, actor.userId, params.chat);
    if (result === null) throw new AppError('not_found');
    if (change.kind === 'unchanged') return { result, audit: null };
    const detail = {
      from: chat.state,
      to: result.state,
      renamed: result.title !== chat.title,
      version: result.version,
    };
    return {
      result,
      audit: { facilityId: chat.facilityId, objectType: 'chat', objectId: chat.id, detail },
      publish: [...lines.flatMap(messageSent), ...chatChanged(await loadChatChange(tx, params.chat))],
    };
  });
}
