import type * as contract from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { findChat } from '#/features/chat/core/chat-queries.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.getChat;

export async function getChat(
  { actor, db }: RequestContext,
  { params }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  await requireChat(db, { actor, chatId: params.chat });
  const chat = await findChat(db, actor.userId, params.chat);
  if (chat === null) throw new AppError('not_found');
  return chat;
}
