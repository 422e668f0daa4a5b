import type { Client } from 'pg';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { adoptUncheckedDatabase } from './adopt-unchecked-database.ts';
import { dropViews, remakeFunctions } from './database-functions.ts';
import { MigrationError } from './migration-error.ts';
import { readSchemaFiles, type SchemaFile } from './schema-files.ts';

/** Held while a database is migrated: the number that Kysely's migrator takes, so that earlier builds wait as well. */
const LOCK = '3853314791062309107';

const BOOKKEEPING = `
  create table schema_migrations (
    name text primary key,
    checksum text not null check (checksum ~ '^[0-9a-f]{64}$'),
    applied_at timestamptz not null default now()
  );
  create table schema_functions (
    name text primary key,
    checksum text not null check (checksum ~ '^[0-9a-f]{64}$')
  );`;

/**
 * Brings a database forward to the build's schema (docs/decisions/018): the migrations that it lacks, then all functions
 * and views anew where anything changed. All of it or nothing, in one transaction; a second server that starts meanwhile
 * waits. `folder` holds `migrations/` and `functions/`. Resolves to the names of the migrations that were applied; throws a
 * MigrationError in words where the database and the build do not fit.
 */
export async function migrate(connectionString: string, folder: string): Promise<string[]> {
  const files = await readSchemaFiles(folder);
  return withClient(connectionString, async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    if (!(await hasTable(client, 'schema_migrations'))) {
      await client.query(BOOKKEEPING);
      await adoptUncheckedDatabase(client, folder);
    }
    const pending = pendingMigrations(files.migrations, await readChecksums(client, 'schema_migrations'));
    const made = await readChecksums(client, 'schema_functions');
    if (pending.length > 0 || !isSame(files.functions, made)) {
      const names = new Set([...made.keys(), ...files.functions.map(({ name }) => name)]);
      // A view holds its columns: while one stands on a table, a migration cannot change them.
      const grants = await dropViews(client, [...names]);
      for (const migration of pending) await applyMigration(client, migration);
      await remakeFunctions(client, files.functions, { names: [...names], grants });
    }
    await client.query('commit');
    return pending.map(({ name }) => name);
  });
}

/**
 * The migrations that the next `migrate` would apply, by name; changes nothing. Throws a MigrationError where the database and
 * the build do not fit.
 */
export async function findPendingMigrations(connectionString: string, folder: string): Promise<string[]> {
  const { migrations } = await readSchemaFiles(folder);
  return withClient(connectionString, async (client) => {
    const isNew = !(await hasTable(client, 'schema_migrations'));
    const applied = isNew ? new Map<string, string>() : await readChecksums(client, 'schema_migrations');
    return pendingMigrations(migrations, applied).map(({ name }) => name);
  });
}

/**
 * Makes the tables of an empty database as they were after these migrations, by name with their checksums, for rows that were kept
 * then; views, functions and later migrations come with the next `migrate`. Inside the transaction of the caller.
 */
export async function makeTablesAsOf(
  client: Client,
  folder: string,
  applied: ReadonlyMap<string, string>,
): Promise<void> {
  const { migrations } = await readSchemaFiles(folder);
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
  await client.query(BOOKKEEPING);
  const later = new Set(pendingMigrations(migrations, applied));
  for (const migration of migrations) if (!later.has(migration)) await applyMigration(client, migration);
}

async function hasTable(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]);
  return rows[0]?.found === true;
}

async function readChecksums(
  client: Client,
  table: 'schema_migrations' | 'schema_functions',
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(`select name, checksum from ${table}`);
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Those that the database lacks; refuses when what it has is not what the build has under the same names. */
function pendingMigrations(files: readonly SchemaFile[], applied: ReadonlyMap<string, string>): SchemaFile[] {
  const known = new Set(files.map(({ name }) => name));
  const unknown = [...applied.keys()].sort().find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new MigrationError(
      `The database is newer than this build: its migration ${unknown} has no file here. Start the build that made it or ` +
        'a later one, or restore a backup from before that migration into an empty database.',
    );
  }
  const edited = files.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (edited !== undefined) {
    throw new MigrationError(
      `${edited.path} has another text than the one that was applied to this database. An applied migration is never ` +
        'edited: put its text back as it was (git log shows it), and write the change as a new migration.',
    );
  }
  const pending = files.filter(({ name }) => !applied.has(name));
  const newest = [...applied.keys()].sort().at(-1) ?? '';
  const late = pending.find(({ name }) => name < newest);
  if (late !== undefined) {
    throw new MigrationError(
      `${late.path} comes before ${newest}, which this database has already. Give it the next free number.`,
    );
  }
  return pending;
}

function isSame(files: readonly SchemaFile[], made: ReadonlyMap<string, string>): boolean {
  return files.length === made.size && files.every(({ name, checksum }) => made.get(name) === checksum);
}

/**
 * Only a superuser may give a function a setting that nobody has declared, and the owner of a hospital's database is none. 0005 does, and
 * stays as it landed: the function is made anew without it, from its own file, in the same transaction.
 */
const OF_SUPERUSERS = " set census.redacts = 'on'";

async function applyMigration(client: Client, { name, path, text, checksum }: SchemaFile): Promise<void> {
  try {
    await client.query(text.replace(OF_SUPERUSERS, ''));
  } catch (error) {
    throw new Error(`${path} could not be applied: ${String(error)}`, { cause: error });
  }
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}
