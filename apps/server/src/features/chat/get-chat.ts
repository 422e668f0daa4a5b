import type * as contract from '@wardline/contract/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findChat } from './chat-queries.ts';
import { requireChat } from './require-chat.ts';

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
