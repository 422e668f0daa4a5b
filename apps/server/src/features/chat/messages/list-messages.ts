import type * as contract from '@wardline/contract/chat/chat.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import type { QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import {
  findFirstOn,
  listChangedMessages,
  listMessagesAfter,
  listMessagesBefore,
  type MessagePage,
} from '#/features/chat/core/message-queries.ts';
import { requireChatToRead } from '#/features/chat/core/require-chat.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.listMessages;

/** Who is added to a chat reads it from the start, since care goes on from what was said; `joined_seq` can limit that. */
export async function listMessages(
  ctx: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { actor, db } = ctx;
  const chat = await requireChatToRead(ctx, params.chat);
  const page = { chatId: params.chat, userId: actor.userId, limit: query.limit ?? 50 };
  const { on, ...place } = query;
  const onSeq = on === undefined ? undefined : await findFirstOn(db, page, on);
  const data = onSeq === null ? [] : await readMessages(db, page, onSeq === undefined ? place : { around: onSeq });
  // A message may have been stored between the two statements.
  const head_seq = Math.max(chat.headSeq, ...data.map(({ seq }) => seq));
  return { data, head_seq, head_change_seq: chat.headChangeSeq, ...(onSeq === undefined ? {} : { on_seq: onSeq }) };
}

async function readMessages(
  db: RequestContext['db'],
  page: MessagePage,
  { after, before, around, changed_after }: QueryOf<Endpoint>,
): Promise<Message[]> {
  if (changed_after !== undefined) return listChangedMessages(db, page, changed_after);
  if (after !== undefined) return listMessagesAfter(db, page, after);
  if (around === undefined) return listMessagesBefore(db, page, before ?? null);
  const half = Math.ceil(page.limit / 2);
  const [older, newer] = await Promise.all([
    listMessagesBefore(db, { ...page, limit: half }, around + 1),
    listMessagesAfter(db, { ...page, limit: page.limit - half }, around),
  ]);
  return [...older, ...newer];
}
