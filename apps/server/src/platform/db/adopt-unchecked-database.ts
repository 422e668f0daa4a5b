import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from 'pg';
import { MigrationError } from './migration-error.ts';
import { readLandedChecksums } from './schema-files.ts';

/**
 * Takes over a database that was made before migrations had checksums, by a build whose bookkeeping was Kysely's: what it
 * has counts as the text that landed. What the earlier text of an edited migration had made otherwise is mended by the files
 * `adopt-<migration>.sql`.
 */
export async function adoptUncheckedDatabase(client: Client, folder: string): Promise<void> {
  const { rows: found } = await client.query<{ name: string | null }>(`select to_regclass('kysely_migration') as name`);
  if (found[0]?.name == null) return;
  const { rows } = await client.query<{ name: string; timestamp: string }>(
    'select name, timestamp from kysely_migration',
  );
  const landed = await readLandedChecksums(folder);
  for (const { name, timestamp } of rows) {
    const checksum = landed.get(name);
    if (checksum === undefined) {
      throw new MigrationError(
        `The database has the migration ${name}, which never landed under this name: it was made by a build between two ` +
          'releases. Start that build, or begin with an empty database.',
      );
    }
    await client.query('insert into schema_migrations (name, checksum, applied_at) values ($1, $2, $3)', [
      name,
      checksum,
      timestamp,
    ]);
  }
  for (const file of (await readdir(folder)).sort()) {
    const [, mended] = /^adopt-(.+)\.sql$/.exec(file) ?? [];
    if (rows.some(({ name }) => name === mended)) await client.query(await readFile(path.join(folder, file), 'utf8'));
  }
  await client.query('drop table kysely_migration, kysely_migration_lock');
}
