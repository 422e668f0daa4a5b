import { createHmac } from 'node:crypto';
import pg from 'pg';
import { type Config, ConfigError } from '#/platform/config/read-config.ts';
import { assertSessionSettings, createDatabase, type Database } from '#/platform/db/database.ts';
import { grantAppRole } from '#/platform/db/grant-app-role.ts';
import { migrate } from '#/platform/db/migrate.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { takeAppRole } from '#/platform/db/take-app-role.ts';
import type { Log } from '#/platform/log.ts';
import { APP_ROLE, withClient } from '#/platform/postgres/database-setup.ts';
import { assertDurable } from '#/platform/postgres/durability.ts';
import { startEmbeddedPostgres } from '#/platform/postgres/embedded.ts';
import { assertSuitable } from '#/platform/postgres/suitability.ts';
import { reasonOf } from '#/platform/reason-of.ts';
import { claimDataFolder } from './claim-data-folder.ts';
import { type ClaimOptions, claimDatabase } from './claim-database.ts';
import { notePlace, refuseEmbeddedOnceLeft, refuseNewBesideEmbedded } from './database-place.ts';
import { printOfFiles } from './files-print.ts';
import { LOOK_AT_URL } from './open-as-owner.ts';
import { SCHEMA } from './places.ts';

export interface OpenedDatabase {
  readonly db: Database;
  readonly description: string;
  close(): Promise<void>;
}

/**
 * The embedded PostgreSQL, or the one of DATABASE_URL: migrated, refused when it could lose what it acknowledged, and no other
 * server's but of those that hear each other. `onTaken`: another one came between while it was away, and this one is to end.
 */
export function openDatabase(config: Config, log: Log, onTaken: () => void): Promise<OpenedDatabase> {
  if (config.databaseUrl === null) return openEmbedded(config, log);
  const print = config.redisUrl === null ? null : printOfSecrets(config);
  const filesPrint = print === null ? null : printOfFiles(config);
  return openGiven(config.databaseUrl, config.dataDir, {
    hearsOthers: print !== null,
    print,
    filesPrint,
    log,
    onTaken,
  });
}

/** Eight digits that are the same at each server of an installation, and say nothing of its secrets. */
function printOfSecrets({ appKey, realtimeSecret }: Config): string {
  const secrets = JSON.stringify([appKey, realtimeSecret]);
  return createHmac('sha256', secrets).update('wardline servers').digest('hex').slice(0, 8);
}

async function openGiven(
  databaseUrl: string,
  dataDir: string,
  claim: Omit<ClaimOptions, 'tries'>,
): Promise<OpenedDatabase> {
  const { log } = claim;
  await refuseUnlessFit(databaseUrl);
  await refuseNewBesideEmbedded(dataDir, databaseUrl);
  const letGo = await claimDatabase(databaseUrl, claim);
  try {
    await migrate(databaseUrl, SCHEMA);
    const isWalled = await takeAppRole(databaseUrl);
    if (!isWalled)
      log.warn(`row-level security narrows nothing here: docs/configuration.md says how its role ${APP_ROLE} is made`);
    const db = createDatabase(databaseUrl, log, { isWalled });
    await asSystem('start', () => assertSessionSettings(db));
    notePlace(dataDir, databaseUrl);
    const close = async () => {
      await db.destroy();
      await letGo();
    };
    return { db, description: 'PostgreSQL of DATABASE_URL', close };
  } catch (error) {
    await letGo();
    throw error;
  }
}

async function openEmbedded(config: Config, log: Log): Promise<OpenedDatabase> {
  refuseEmbeddedOnceLeft(config.dataDir);
  const letGo = await claimDataFolder(config.dataDir);
  // A backup that was begun while no server ran stops the database at its end.
  const starting = startEmbeddedPostgres({ dataDir: config.dataDir, log, takesOver: true });
  const postgres = await starting.catch((error: unknown) => {
    letGo();
    throw error;
  });
  try {
    await withClient(postgres.connectionString, assertDurable);
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

/** Refuses a PostgreSQL, or a database of it, that cannot keep an installation. Throws a ConfigError that says what to do. */
export async function refuseUnlessFit(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl);
  try {
    await assertSuitable(client);
    await assertDurable(client);
    await refuseSharedSessions(client, databaseUrl);
  } finally {
    await client.end();
  }
}

/** A pooler in transaction mode gives a session to whoever asks next: the server's claim of the database would be held by others too. */
async function refuseSharedSessions(client: pg.Client, databaseUrl: string): Promise<void> {
  const sessionOf = async (asked: pg.Client) => (await asked.query('select pg_backend_pid() as pid')).rows[0]?.pid;
  const own = await sessionOf(client);
  const other = await connect(databaseUrl);
  const isShared = (await sessionOf(other).finally(() => other.end())) === own;
  if (isShared)
    throw new ConfigError(
      'A pooler between the server and PostgreSQL shares sessions (transaction mode): locks and what a connection was told would be lost.\n' +
        'Have DATABASE_URL name PostgreSQL itself: docs/configuration.md.',
    );
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new ConfigError(`The database cannot be reached: ${reasonOf(error)}\n${LOOK_AT_URL}`);
  });
  return client;
}
