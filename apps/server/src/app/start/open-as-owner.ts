import type { Config } from '#/platform/config/read-config.ts';
import { createDatabase, type Database } from '#/platform/db/database.ts';
import type { Log } from '#/platform/log.ts';
import { startEmbeddedPostgres } from '#/platform/postgres/embedded.ts';

/** By the owner's connection: what is looked at must not hang on what the server's role may see. */
export async function openAsOwner(
  config: Config,
  log: Log,
): Promise<{ readonly db: Database; readonly connectionString: string; close(): Promise<void> }> {
  if (config.databaseUrl !== null) {
    const db = createDatabase(config.databaseUrl, log, { poolSize: 2 });
    return { db, connectionString: config.databaseUrl, close: () => db.destroy() };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const db = createDatabase(postgres.connectionString, log, { poolSize: 2 });
  return {
    db,
    connectionString: postgres.connectionString,
    async close() {
      await db.destroy();
      await postgres.stop();
    },
  };
}
