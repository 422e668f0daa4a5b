import type { DataCopy, listDataCopies as endpoint } from '@wardline/contract/account/own-data.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Selectable } from 'kysely';
import type { OwnDataCopies } from '#/platform/db/types.ts';
import type { RequestContext } from '#/platform/http/context.ts';

type CopyRow = Pick<Selectable<OwnDataCopies>, 'id' | 'requested_at' | 'expires_at' | 'bytes' | 'is_complete'>;

/** By then its job has been tried for the last time. */
const GIVEN_UP_AFTER_MS = 60 * 60_000;
const SHOWN = 5;

export const copyColumns = ['id', 'requested_at', 'expires_at', 'bytes', 'is_complete'] as const;

export async function listDataCopies({
  actor,
  db,
}: Pick<RequestContext, 'actor' | 'db'>): Promise<ReplyOf<typeof endpoint>> {
  const rows = await db
    .selectFrom('own_data_copies')
    .select(copyColumns)
    .where('user_id', '=', actor.userId)
    .orderBy('requested_at', 'desc')
    .limit(SHOWN)
    .execute();
  return { data: rows.map(toDataCopy) };
}

export function toDataCopy(row: CopyRow): DataCopy {
  return {
    id: row.id,
    state: stateOf(row),
    requested_at: row.requested_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    bytes: row.bytes,
    is_complete: row.is_complete,
  };
}

function stateOf({ requested_at, expires_at }: CopyRow): DataCopy['state'] {
  if (expires_at !== null) return expires_at.getTime() > Date.now() ? 'ready' : 'expired';
  return Date.now() - requested_at.getTime() > GIVEN_UP_AFTER_MS ? 'failed' : 'preparing';
}

/** Where the store keeps the file of a copy. */
export function copyFile(key: string): string {
  return `copies/${key.slice(0, 2)}/${key}.json`;
}
