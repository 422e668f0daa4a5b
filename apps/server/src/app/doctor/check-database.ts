import { existsSync } from 'node:fs';
import { counted } from '@wardline/format/counts.ts';
import { sql } from 'kysely';
import { clusterOf, refuseEmbeddedOnceLeft, refuseNewBesideEmbedded } from '#/app/start/database-place.ts';
import { LOOK_AT_URL, openAsOwner } from '#/app/start/open-as-owner.ts';
import { SCHEMA } from '#/app/start/places.ts';
import { isBackupOld, readInstallation } from '#/features/system/index.ts';
import { readDatabaseAddress } from '#/platform/config/database-address.ts';
import { type Config, ConfigError, isLoopback } from '#/platform/config/read-config.ts';
import { readLastBackup } from '#/platform/db/backups.ts';
import type { Database } from '#/platform/db/database.ts';
import { findPendingMigrations } from '#/platform/db/migrate.ts';
import { MigrationError } from '#/platform/db/migration-error.ts';
import { worksAsAppRole } from '#/platform/db/take-app-role.ts';
import type { Log } from '#/platform/log.ts';
import { APP_ROLE, withClient } from '#/platform/postgres/database-setup.ts';
import { assertDurable } from '#/platform/postgres/durability.ts';
import { countFixesSince, EMBEDDED_RELEASE } from '#/platform/postgres/fixes.ts';
import { assertSuitable } from '#/platform/postgres/suitability.ts';
import { reasonOf } from '#/platform/reason-of.ts';
import { error, type Finding, ok, refusal, warning } from './finding.ts';

const MOST_DIFFERENCE_MS = 5_000;

/** Whether the database is there, can be trusted with what it is given, and fits this build. Nothing in it is changed. */
export async function checkDatabase(config: Config, log: Log): Promise<Finding[]> {
  const misplaced = await findRefusal(() => refuseMisplaced(config));
  if (misplaced !== null) return [misplaced];
  if (config.databaseUrl === null && !existsSync(clusterOf(config.dataDir))) {
    return [
      warning(
        `There is no database in ${config.dataDir}: the first start makes it.`,
        'If the server has been started before, run this with its settings: WARDLINE_DATA names its data folder.',
      ),
    ];
  }
  const opened = await openAsOwner(config, log).catch((failure: unknown) => failure);
  if (!isOpened(opened)) return [unreachable(config, opened)];
  const { db, connectionString, close } = opened;
  try {
    const unsuitable =
      config.databaseUrl === null ? null : await findRefusal(() => withClient(connectionString, assertSuitable));
    if (unsuitable !== null) return [unsuitable];
    return [
      ...(await checkServer(config, db)),
      ...(config.databaseUrl === null ? [] : await checkEncryption(config.databaseUrl, db)),
      await checkDurability(connectionString),
      ...(await checkChecksums(db)),
      ...(await checkSchema(connectionString)),
      ...(await checkWalls(config)),
      ...(await checkBackups(config, db)),
    ];
  } catch (failure) {
    return [unreachable(config, failure)];
  } finally {
    await close();
  }
}

function isOpened(opened: unknown): opened is Awaited<ReturnType<typeof openAsOwner>> {
  return typeof opened === 'object' && opened !== null && 'db' in opened;
}

function unreachable({ databaseUrl }: Config, failure: unknown): Finding {
  const remedy = databaseUrl === null ? 'Look into the log in the data folder.' : LOOK_AT_URL;
  return error(`The database cannot be used: ${reasonOf(failure)}`, remedy);
}

/** What the start would refuse, in its words. */
async function findRefusal(assert: () => Promise<void>): Promise<Finding | null> {
  try {
    await assert();
    return null;
  } catch (failure) {
    if (!(failure instanceof ConfigError)) throw failure;
    return refusal(failure);
  }
}

async function refuseMisplaced({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === null) return refuseEmbeddedOnceLeft(dataDir);
  // One that cannot be reached is told below.
  await refuseNewBesideEmbedded(dataDir, databaseUrl).catch((failure: unknown) => {
    if (failure instanceof ConfigError) throw failure;
  });
}

/** Between containers of one machine names have no dot, and nothing leaves it. */
async function checkEncryption(databaseUrl: string, db: Database): Promise<Finding[]> {
  const { hostname } = readDatabaseAddress(databaseUrl);
  if (isLoopback(hostname) || !/[.:]/.test(hostname)) return [];
  const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
  if (rows[0]?.ssl !== false) return [];
  return [
    warning(
      'The connection to the database is not encrypted: patient data can be read on the way.',
      'Turn TLS on in the PostgreSQL and end DATABASE_URL with ?sslmode=verify-full: docs/configuration.md.',
    ),
  ];
}

interface Server {
  readonly version: string;
  readonly at: Date;
}

async function checkServer({ databaseUrl }: Config, db: Database): Promise<Finding[]> {
  const from = Date.now();
  const found = await sql<Server>`
    select current_setting('server_version') as version, clock_timestamp() as at`.execute(db);
  const [server] = found.rows;
  if (!server) throw new Error('it said nothing of itself');
  const difference = (from + Date.now()) / 2 - server.at.getTime();
  return [
    versionFinding(server, databaseUrl === null),
    ...(Math.abs(difference) > MOST_DIFFERENCE_MS
      ? [
          error(
            `The clocks of this machine and of the database differ by ${Math.round(Math.abs(difference) / 1000)} s.`,
            'Have both kept by NTP.',
          ),
        ]
      : []),
  ];
}

function versionFinding({ version }: Server, isEmbedded: boolean): Finding {
  const missing = isEmbedded ? countFixesSince(EMBEDDED_RELEASE.releasedOn, new Date()) : 0;
  if (missing === 0) return ok(`PostgreSQL ${version}${isEmbedded ? ', embedded' : ''}.`);
  return warning(
    `The embedded PostgreSQL ${version} lacks the fixes of ${counted(missing, 'release')}.`,
    'Take a newer build of Wardline, or give it a PostgreSQL of your own by DATABASE_URL.',
  );
}

async function checkDurability(connectionString: string): Promise<Finding> {
  try {
    await withClient(connectionString, assertDurable);
    return ok('What the database has confirmed outlives a crash of it.');
  } catch (failure) {
    if (!(failure instanceof ConfigError)) throw failure;
    return error(failure.message, 'The server does not start before.');
  }
}

async function checkChecksums(db: Database): Promise<Finding[]> {
  const { rows } = await sql<{ setting: string }>`select current_setting('data_checksums') as setting`.execute(db);
  return checksumFindings(rows[0]?.setting);
}

/** R22: a page that the disk has changed is refused, where it would be read as if it were right. */
export function checksumFindings(setting: string | undefined): Finding[] {
  if (setting === 'on') return [];
  return [
    warning(
      'The database keeps no checksums of its pages: what the disk changes goes unnoticed.',
      'Stop it, run “pg_checksums --enable” on its data folder, and start it again.',
    ),
  ];
}

async function checkSchema(connectionString: string): Promise<Finding[]> {
  try {
    const pending = await findPendingMigrations(connectionString, SCHEMA);
    if (pending.length === 0) return [ok('The database has the schema of this build.')];
    const names = counted(pending.length, 'migration');
    return [
      warning(`The next start brings ${names} to the database.`, 'Make a backup before: npm run backup -- FOLDER.'),
    ];
  } catch (failure) {
    if (!(failure instanceof MigrationError)) throw failure;
    return [error('The database and this build do not fit.', failure.message)];
  }
}

async function checkWalls({ databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl === null || (await worksAsAppRole(databaseUrl).catch(() => false))) return [];
  return [
    warning(
      `The owner cannot work as the role ${APP_ROLE}: row-level security narrows nothing.`,
      'The first start makes it where it may; docs/configuration.md says how it is made otherwise.',
    ),
  ];
}

async function checkBackups({ backupDays }: Config, db: Database): Promise<Finding[]> {
  const made = await sql<{ has_audit: boolean }>`select to_regclass('audit_entries') is not null as has_audit`.execute(
    db,
  );
  if (!made.rows[0]?.has_audit) return [];
  const { has_demo: isDemo, begun_at: begunAt } = await readInstallation(db);
  const lastAt = await readLastBackup(db);
  const age = isDemo ? false : isBackupOld(backupDays, { lastAt, begunAt });
  if (age === false) return lastAt ? [ok(`The newest backup was made ${lastAt.toISOString()}.`)] : [];
  const says = age === true ? 'No backup was ever made.' : `The newest backup is ${counted(Number(age), 'day')} old.`;
  return [warning(says, 'Run npm run backup -- FOLDER each night: docs/backup.md.')];
}
