import type * as contract from '@wardline/contract/chat/chat-changes.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { listPinnedMessages } from '#/features/chat/core/message-queries.ts';
import { requireChatToRead } from '#/features/chat/core/require-chat.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.listPins;

/** Those that this person may read; there are never more than one page of them. */
export async function listPins(ctx: RequestContext, { params }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  await requireChatToRead(ctx, params.chat);
  const data = await listPinnedMessages(ctx.db, { chatId: params.chat, userId: ctx.actor.userId });
  return { data, next_cursor: null };
}
