import type * as contract from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { decodeUserCursor, encodeUserCursor } from '#/features/chat/core/list-cursor.ts';
import { listParticipantRows } from '#/features/chat/core/participant-queries.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.listParticipants;

export async function listParticipants(
  { actor, db }: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  await requireChat(db, { actor, chatId: params.chat });
  const limit = query.limit ?? 50;
  const after = query.cursor === undefined ? null : decodeUserCursor(query.cursor);
  const page = { chatId: params.chat, userId: actor.userId, after, limit: limit + 1 };
  const rows = await listParticipantRows(db, page);
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last ? encodeUserCursor(last.user_id) : null };
}
