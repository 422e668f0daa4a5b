import type * as contract from '@wardline/contract/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { toChat } from '#/features/chat/core/chat-queries.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { decodeSyncCursor, encodeSyncCursor } from './sync-cursor.ts';
import { listSyncRows, type Now, readNow } from './sync-queries.ts';

type Endpoint = typeof contract.sync;

/** After a crash PostgreSQL may use again the ids of aborted transactions that never reached its log: a few, at the end. */
const REUSABLE_XIDS = 100n;

export async function sync({ actor, db }: RequestContext, { query }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const limit = query.limit ?? 100;
  // Read before the rows: what commits in between is then reported twice rather than never.
  const now = await readNow(db);
  const { since, until, after, reset } = placeOf(query.cursor, now);
  const rows = await listSyncRows(db, { userId: actor.userId, since, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last ? { until, after: last.id } : null;
  const { installation } = now;
  return {
    chats: page.flatMap((row) => (row.is_mine ? [toChat(row)] : [])),
    removed_chat_ids: page.flatMap((row) => (row.is_mine ? [] : [row.id])),
    reset,
    cursor: encodeSyncCursor(
      more ? { installation, since, paging: more } : { installation, since: until, paging: null },
    ),
    has_more: more !== null,
  };
}

/** A cursor of another database, or from a future that this one (restored from a backup) has not seen, starts anew. */
function placeOf(cursor: string | undefined, { installation, xmin }: Now) {
  const next = xmin > REUSABLE_XIDS ? xmin - REUSABLE_XIDS : 0n;
  const fresh = { since: null, until: next, after: null };
  if (cursor === undefined) return { ...fresh, reset: false };
  const known = decodeSyncCursor(cursor);
  const newest = known?.paging?.until ?? known?.since ?? 0n;
  if (known === null || known.installation !== installation || newest > xmin) return { ...fresh, reset: true };
  return { since: known.since, until: known.paging?.until ?? next, after: known.paging?.after ?? null, reset: false };
}
