import type * as contract from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import { type ChatRow, chatColumns, toChat } from '#/features/chat/core/chat-queries.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { closedFacilities } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

/** Where a device has got in what changed for its user; opaque outside. See docs/decisions/006-sync-cursor-and-seq.md */
interface SyncCursor {
  /** The database it came from. */
  readonly installation: string;
  /** Every transaction before this one was seen; null while everything is being read. */
  readonly since: bigint | null;
  /** While pages follow each other: what `since` becomes after the last, and the last chat of the page before. */
  readonly paging: { readonly until: bigint; readonly after: string } | null;
}

const XID = /^\d{1,19}$/;

export function encodeSyncCursor({ installation, since, paging }: SyncCursor): string {
  const parts = [installation, since ?? '', paging?.until ?? '', paging?.after ?? ''];
  return Buffer.from(parts.join(' ')).toString('base64url');
}

/** Null for what this server did not make: the device then starts anew. */
export function decodeSyncCursor(cursor: string): SyncCursor | null {
  const parts = Buffer.from(cursor, 'base64url').toString().split(' ');
  const [installation = '', since = '', until = '', after = ''] = parts;
  const isPaging = until !== '';
  const isOurs =
    parts.length === 4 &&
    isId(installation) &&
    (since === '' ? isPaging : XID.test(since)) &&
    (isPaging ? XID.test(until) && isId(after) : after === '');
  if (!isOurs) return null;
  return {
    installation,
    since: since === '' ? null : BigInt(since),
    paging: isPaging ? { until: BigInt(until), after } : null,
  };
}

function isId(text: string): boolean {
  return Id.safeParse(text).success;
}

interface Now {
  readonly installation: string;
  /** Every transaction before this one has ended, and what it committed is visible to whatever is read after this. */
  readonly xmin: bigint;
}

const snapshots = typedRows<{ installation: string; xmin: string }>({ installation: 'string', xmin: 'string' });

async function readNow(db: Database): Promise<Now> {
  const query = sql`
    select id as installation, pg_snapshot_xmin(pg_current_snapshot())::text as xmin from installation`;
  const now = await snapshots.first(db, query);
  if (!now) throw new Error('the installation has no row');
  return { installation: now.installation, xmin: BigInt(now.xmin) };
}

interface SyncPage {
  readonly userId: string;
  /** Facilities that are closed to this session: their chats are as left. */
  readonly closed: readonly string[];
  /** Null reads everything but the archive. */
  readonly since: bigint | null;
  readonly after: string | null;
  readonly limit: number;
}

/** A chat that changed for this person, or one that is no longer theirs. */
type SyncRow = (ChatRow & { readonly is_mine: true }) | { readonly id: string; readonly is_mine: false };

/**
 * By chat id, so that pages neither overlap nor skip whatever happens between them. A chat that was left is reported for
 * the leaving alone: what others do in it afterwards must not show, and the database gives nothing of it any more.
 */
async function listSyncRows(db: Database, { userId, closed, since, after, limit }: SyncPage): Promise<SyncRow[]> {
  const changed =
    since === null
      ? sql`c.id is not null and c.state <> 'archived'`
      : sql`(place.changed_xid >= ${since}::text::xid8 or (c.id is not null and c.changed_xid >= ${since}::text::xid8))`;
  const { rows } = await sql<SyncRow>`
    select ${chatColumns}, place.chat_id as id,
      c.id is not null and place.facility_id <> all(${closed}::uuid[]) as is_mine
    from chat_participants as place
    left join own_chats as c on c.id = place.chat_id and c.user_id = place.user_id
    where place.user_id = ${userId} and ${after === null ? sql`true` : sql`place.chat_id > ${after}`} 
      and (place.facility_id = any(${closed}::uuid[]) or ${changed})
    order by place.chat_id limit ${limit}`.execute(db);
  return rows;
}

type Endpoint = typeof contract.sync;

/** After a crash PostgreSQL may use again the ids of aborted transactions that never reached its log: a few, at the end. */
const REUSABLE_XIDS = 100n;

export async function sync({ actor, db }: RequestContext, { query }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const limit = query.limit ?? 100;
  // Read before the rows: what commits in between is then reported twice rather than never.
  const now = await readNow(db);
  const { since, until, after, reset } = placeOf(query.cursor, now);
  const closed = closedFacilities(actor);
  const rows = await listSyncRows(db, { userId: actor.userId, closed, since, after, limit: limit + 1 });
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
