import type * as contract from '@wardline/contract/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { listChatRows, toChat } from '#/features/chat/core/chat-queries.ts';
import { decodeListCursor, encodeListCursor } from '#/features/chat/core/list-cursor.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.listChats;

export async function listChats(
  { actor, db }: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  requireFacility(actor, params.facility);
  const limit = query.limit ?? 50;
  const rows = await listChatRows(db, {
    userId: actor.userId,
    facilityId: params.facility,
    kind: query.kind,
    state: query.state,
    words: query.q,
    after: query.cursor === undefined ? null : decodeListCursor(query.cursor),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(toChat),
    next_cursor: last ? encodeListCursor({ micros: last.place, id: last.id }) : null,
  };
}
