import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { copyFile } from './copy-queries.ts';

const AT_ONCE = 100;

/** Removes what has expired, or was never made, the file first. A day after they were asked for they count no more. */
export async function purgeCopies({ db, files }: { readonly db: Database; readonly files: FileStore }): Promise<void> {
  const old = await db
    .selectFrom('own_data_copies')
    .select(['id', 'key'])
    .where('requested_at', '<', sql<Date>`now() - interval '1 day'`)
    .where(sql<boolean>`coalesce(expires_at, now()) <= now()`)
    .orderBy('requested_at')
    .limit(AT_ONCE)
    .execute();
  for (const { id, key } of old) {
    await files.remove(copyFile(key));
    await db.deleteFrom('own_data_copies').where('id', '=', id).execute();
  }
}
