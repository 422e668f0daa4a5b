import pg from 'pg';
import type { Config } from '#/platform/config/read-config.ts';
import { createDatabase, type Database } from '#/platform/db/database.ts';
import { grantAppRole } from '#/platform/db/grant-app-role.ts';
import { migrate } from '#/platform/db/migrate.ts';
import { takeAppRole } from '#/platform/db/take-app-role.ts';
import type { Log } from '#/platform/log.ts';
import { APP_ROLE } from '#/platform/postgres/database-setup.ts';
import { assertDurable } from '#/platform/postgres/durability.ts';
import { startEmbeddedPostgres } from '#/platform/postgres/embedded.ts';
import { SCHEMA } from './places.ts';
import { claimDataFolder } from './server-lock.ts';

export interface OpenedDatabase {
  readonly db: Database;
  readonly description: string;
  close(): Promise<void>;
}

/** The embedded PostgreSQL, or the one of DATABASE_URL: migrated, refused when it could lose what it acknowledged. */
export async function openDatabase(config: Config, log: Log): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    await refuseUnlessDurable(config.databaseUrl);
    await migrate(config.databaseUrl, SCHEMA);
    const isWalled = await takeAppRole(config.databaseUrl);
    if (!isWalled)
      log.warn(`row-level security narrows nothing here: docs/configuration.md says how its role ${APP_ROLE} is made`);
    const db = createDatabase(config.databaseUrl, log, { isWalled });
    return { db, description: 'PostgreSQL of DATABASE_URL', close: () => db.destroy() };
  }
  const letGo = await claimDataFolder(config.dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log }).catch((error: unknown) => {
    letGo();
    throw error;
  });
  try {
    await refuseUnlessDurable(postgres.connectionString);
    await migrate(postgres.connectionString, SCHEMA);
    await grantAppRole(postgres.connectionString, APP_ROLE);
  } catch (error) {
    await postgres.stop();
    letGo();
    throw error;
  }
  const db = createDatabase(postgres.appConnectionString, log, { isWalled: true });
  return {
    db,
    description: `embedded PostgreSQL ${postgres.version}${postgres.adopted ? ', found running and adopted' : ''}`,
    async close() {
      await db.destroy();
      await postgres.stop();
      letGo();
    },
  };
}

async function refuseUnlessDurable(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await assertDurable(client);
  } finally {
    await client.end();
  }
}
