import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { type Config, ConfigError } from '#/platform/config/read-config.ts';
import { createDatabase, type Database } from '#/platform/db/database.ts';
import type { Log } from '#/platform/log.ts';
import { startEmbeddedPostgres } from '#/platform/postgres/embedded.ts';
import { reasonOf } from '#/platform/reason-of.ts';
import { clusterOf, refuseEmbeddedOnceLeft } from './database-place.ts';

export const LOOK_AT_URL = 'Look at DATABASE_URL and at the server that it names.';

interface OwnersDatabase {
  readonly db: Database;
  readonly connectionString: string;
  close(): Promise<void>;
}

/** Throws a ConfigError over settings that name no database: nothing is made for a command. */
export function assertNamesDatabase({ databaseUrl, dataDir }: Config, begins: string): void {
  if (databaseUrl !== null) return;
  refuseEmbeddedOnceLeft(dataDir);
  try {
    statSync(clusterOf(dataDir));
  } catch (error) {
    const isClosed = (error as NodeJS.ErrnoException).code === 'EACCES';
    throw new ConfigError(
      isClosed
        ? `${begins}: ${dataDir} is closed to this user. Run this as the user that the server runs as.`
        : `${begins}: ${dataDir} holds no database, and DATABASE_URL is not set.\n` +
            'Run this with the settings of the server: WARDLINE_DATA names its data folder.',
    );
  }
}

/** The database of an installation that is there. Throws a ConfigError where there is none, or none that can be used. */
export async function openInstallation(config: Config, log: Log): Promise<OwnersDatabase> {
  assertNamesDatabase(config, 'There is no installation');
  const opened = await openAsOwner(config, log);
  const fault = await findFault(opened.db);
  if (fault === null) return opened;
  await opened.close();
  throw new ConfigError(fault);
}

async function findFault(db: Database): Promise<string | null> {
  try {
    const asked = sql<{ is_there: boolean }>`select to_regclass('public.schema_migrations') is not null as is_there`;
    const { rows } = await asked.execute(db);
    if (rows[0]?.is_there) return null;
    return 'This database holds nothing of this build: look at DATABASE_URL, or start the server on it once.';
  } catch (error) {
    return `The database cannot be reached: ${reasonOf(error)}\n${LOOK_AT_URL}`;
  }
}

/** By the owner's connection: what is looked at must not hang on what the server's role may see. */
export async function openAsOwner(config: Config, log: Log): Promise<OwnersDatabase> {
  if (config.databaseUrl !== null) {
    const db = createDatabase(config.databaseUrl, log, { poolSize: 2 });
    return { db, connectionString: config.databaseUrl, close: () => db.destroy() };
  }
  refuseEmbeddedOnceLeft(config.dataDir);
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
