import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type ChatRow, chatColumns } from './chat-queries.ts';

export interface Now {
  readonly installation: string;
  /** Every transaction before this one has ended, and what it committed is visible to whatever is read after this. */
  readonly xmin: bigint;
}

const snapshots = typedRows<{ installation: string; xmin: string }>({ installation: 'string', xmin: 'string' });

export async function readNow(db: Database): Promise<Now> {
  const query = sql`
    select id as installation, pg_snapshot_xmin(pg_current_snapshot())::text as xmin from installation`;
  const now = await snapshots.first(db, query);
  if (!now) throw new Error('the installation has no row');
  return { installation: now.installation, xmin: BigInt(now.xmin) };
}

export interface SyncPage {
  readonly userId: string;
  /** Null reads everything but the archive. */
  readonly since: bigint | null;
  readonly after: string | null;
  readonly limit: number;
}

/** A chat that changed for this person, or one that is no longer theirs. */
export type SyncRow = (ChatRow & { readonly is_mine: true }) | { readonly id: string; readonly is_mine: false };

/**
 * By chat id, so that pages neither overlap nor skip whatever happens between them. A chat that was left is reported for
 * the leaving alone: what others do in it afterwards must not show.
 */
export async function listSyncRows(db: Database, { userId, since, after, limit }: SyncPage): Promise<SyncRow[]> {
  const changed =
    since === null
      ? sql`p.chat_id is not null and c.state <> 'archived'`
      : sql`(place.changed_xid >= ${since}::text::xid8 or (p.chat_id is not null and c.changed_xid >= ${since}::text::xid8))`;
  const { rows } = await sql<SyncRow>`
    select ${chatColumns}, p.chat_id is not null as is_mine
    from chat_participants as place
    join chats as c on c.id = place.chat_id
    left join active_participants as p on p.chat_id = place.chat_id and p.user_id = place.user_id
    where place.user_id = ${userId} and ${after === null ? sql`true` : sql`place.chat_id > ${after}`} and ${changed}
    order by place.chat_id limit ${limit}`.execute(db);
  return rows;
}
