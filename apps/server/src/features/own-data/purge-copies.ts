import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { copyFile } from './copy-queries.ts';

const AT_ONCE = 100;

/** Removes what has expired, or was never made, the file first. A day after they were asked for they count no more; nor do those of who has gone. */
export async function purgeCopies({ db, files }: { readonly db: Database; readonly files: FileStore }): Promise<void> {
  const old = await db
    .selectFrom('own_data_copies')
    .select(['id', 'key'])
    .where(
      sql<boolean>`(requested_at < now() - interval '1 day' and coalesce(expires_at, now()) <= now())
        or user_id in (select id from users where deleted_at is not null)`,
    )
    .orderBy('requested_at')
    .limit(AT_ONCE)
    .execute();
  for (const { id, key } of old) {
    await files.remove(copyFile(key));
    await db.deleteFrom('own_data_copies').where('id', '=', id).execute();
  }
}
