import type * as contract from '@wardline/contract/chat/chat.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { type ChatRow, chatColumns, chats, toChat } from '#/features/chat/core/chat-queries.ts';
import { decodeListCursor, encodeListCursor, type ListPlace } from '#/features/chat/core/list-cursor.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
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
    text: query.q,
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

interface ChatListFilter {
  readonly userId: string;
  readonly facilityId: string;
  readonly kind?: Chat['kind'] | undefined;
  readonly state?: Chat['state'] | undefined;
  readonly text?: string | undefined;
  readonly after: ListPlace | null;
  readonly limit: number;
}

const listedChats = typedRows<ChatRow & { place: number }>({ ...chats.kinds, place: 'number' });

/** My chats in a facility, last activity first, each with the place it has in that order (microseconds). */
async function listChatRows(db: Database, filter: ChatListFilter): Promise<(ChatRow & { place: number })[]> {
  const { userId, facilityId, kind, state, text, after, limit } = filter;
  const conditions = [
    sql`c.user_id = ${userId} and c.facility_id = ${facilityId}`,
    ...(kind ? [sql`c.kind = ${kind}`] : []),
    ...(state ? [sql`c.state = ${state}`] : []),
    ...(text
      ? [
          sql`position(lower(${text}) in lower(case when c.kind = 'direct'
            then coalesce((select u.name from users as u where u.id = c.direct_user_id), c.title)
            else concat_ws(' ', c.title, c.patient_name, c.patient_identifier) end)) > 0`,
        ]
      : []),
    ...(after
      ? [
          sql`(c.updated_at, c.id) < ('epoch'::timestamptz + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`,
        ]
      : []),
  ];
  const query = sql`
    select ${chatColumns}, (extract(epoch from c.updated_at) * 1000000)::bigint as place
    from own_chats as c
    where ${sql.join(conditions, sql` and `)}
    order by c.updated_at desc, c.id desc limit ${limit}`;
  return listedChats.read(db, query);
}
