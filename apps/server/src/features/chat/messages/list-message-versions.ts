import type * as contract from '@wardline/contract/chat/chat-changes.ts';
import type { MessageVersion } from '@wardline/contract/chat/chat-changes.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { decodeVersionCursor, encodeVersionCursor } from '#/features/chat/core/list-cursor.ts';
import { findMessage } from '#/features/chat/core/message-queries.ts';
import { requireChatToRead } from '#/features/chat/core/require-chat.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.listMessageVersions;

/** For whoever reads the message itself. */
export async function listMessageVersions(
  ctx: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { chat: chatId, message: messageId } = params;
  const { actor, db } = ctx;
  await requireChatToRead(ctx, chatId);
  const message = await findMessage(db, { chatId, userId: actor.userId, messageId });
  if (message === null) throw new AppError('not_found');
  const limit = query.limit ?? 50;
  const before = query.cursor === undefined ? null : decodeVersionCursor(query.cursor);
  const rows = await listVersionRows(db, { messageId, before, limit: limit + 1 });
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last ? encodeVersionCursor(last.version) : null };
}

interface VersionPage {
  readonly messageId: string;
  readonly before: number | null;
  readonly limit: number;
}

const versions = typedRows<{ version: number; body: string; written_at: Date }>({
  version: 'number',
  body: 'string',
  written_at: 'date',
});

/** The text that stands and those before it; the message is asked again, it may have been deleted meanwhile. */
async function listVersionRows(db: Database, { messageId, before, limit }: VersionPage): Promise<MessageVersion[]> {
  const query = sql`
    select all_of.version, all_of.body, all_of.written_at
    from messages as m
    join lateral (
      select m.version, m.body, coalesce(m.edited_at, m.created_at) as written_at
      union all
      select v.version, v.body, v.written_at from message_versions as v where v.message_id = m.id
    ) as all_of on true
    where m.id = ${messageId} and m.deleted_at is null and ${before === null ? sql`true` : sql`all_of.version < ${before}`}
    order by all_of.version desc limit ${limit}`;
  const rows = await versions.read(db, query);
  return rows.map(({ written_at, ...version }) => ({ ...version, written_at: written_at.toISOString() }));
}
