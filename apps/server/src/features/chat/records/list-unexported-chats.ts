import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { listUnexportedChats as endpoint, UnexportedChat } from '@wardline/contract/chat/records.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { toAuditedChat } from './hold-queries.ts';
import { requireRecords } from './retention-rules.ts';

type Endpoint = typeof endpoint;

const PAGE = 20;

/** Chats that are kept only because nobody has exported them. The cursor is the last chat's id. It names patients, which is noted. */
export async function listUnexportedChats(
  { actor, db, noteReads }: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const facilityId = params.facility;
  requireRecords(actor, facilityId);
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : idCursor(query.cursor);
  const rows = await inOwnFacilities(() => findUnexported(db, { facilityId, after, limit: limit + 1 }));
  const data = rows.slice(0, limit).map(toUnexported);
  await noteReads('retention.view', [{ facilityId, objectType: 'facility', objectId: facilityId }]);
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.chat.id ?? null) : null };
}

interface ChatRow {
  readonly chat_id: string;
  readonly chat_kind: Chat['kind'];
  readonly title: string | null;
  readonly patient_name: string | null;
  readonly chat_identifier: string | null;
  readonly exported_at: Date | null;
}
const chats = typedRows<ChatRow>({
  ...{ chat_id: 'string', chat_kind: 'string', title: 'string?', patient_name: 'string?' },
  ...{ chat_identifier: 'string?', exported_at: 'date?' },
});

function findUnexported(
  db: Database,
  { facilityId, after, limit }: { readonly facilityId: string; readonly after: string | null; readonly limit: number },
): Promise<ChatRow[]> {
  return chats.read(
    db,
    sql`
      select c.id as chat_id, c.kind as chat_kind, c.title, c.patient_name, c.patient_identifier as chat_identifier, c.exported_at
      from retention_rules as r
      join chats as c on c.facility_id = r.facility_id and c.kind = r.kind
      join messages as m on m.chat_id = c.id and m.seq = c.expired_seq + 1
      where r.facility_id = ${facilityId} and r.mode = 'delete_exported'
        and m.created_at < now() - make_interval(days => r.days)
        and (c.kind <> 'case' or c.state in ('closed', 'archived'))
        and (c.exported_seq <= c.expired_seq or m.change_seq > c.exported_change_seq)
        and not is_chat_held(c)
        and (${after}::uuid is null or c.id > ${after})
      order by c.id limit ${limit}`,
  );
}

function toUnexported({ exported_at, ...chat }: ChatRow): UnexportedChat {
  return { chat: toAuditedChat(chat), exported_at: exported_at?.toISOString() ?? null };
}
