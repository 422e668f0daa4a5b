import {
  type listMessageTemplates as endpoint,
  MESSAGE_TEMPLATES_MAX,
} from '@wardline/contract/chat/message-templates.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';

/** The templates of a facility as they were made, a page at a time. The cursor is the last one's id, which may be gone by now. */
export async function listMessageTemplates(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: Pick<InputOf<typeof endpoint>, 'params' | 'query'>,
): Promise<ReplyOf<typeof endpoint>> {
  requireFacility(actor, params.facility);
  const limit = query.limit ?? MESSAGE_TEMPLATES_MAX;
  let found = db
    .selectFrom('message_templates')
    .select(['id', 'title', 'body', 'version'])
    .where('facility_id', '=', params.facility);
  if (query.cursor !== undefined) found = found.where('id', '>', idCursor(query.cursor));
  const rows = await found
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  const data = rows.slice(0, limit);
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}
