import type pg from 'pg';
import { makeTablesAsOf } from '#/platform/db/migrate.ts';
import { BackupError } from './backup-error.ts';
import { measuring } from './measure.ts';
import type { About, Manifest } from './parts.ts';
import { copyIn, copyOut, listSequences, listTables, setSequences, type Table } from './tables.ts';

// No statement of a backup is ever run: tables come from the migrations of this build, and of a backup the rows alone.

type Tables = Pick<About, 'migrations' | 'tables' | 'sequences'>;
type Compared = Pick<Manifest, 'tables'>;

export interface Loading {
  /** Tables of the backup that no migration knows: something of the operator's own. */
  readonly leftOut: readonly string[];
  load(name: string, rows: AsyncIterable<Uint8Array>): Promise<void>;
  /** Makes what stands on the rows, and reads all of them back to compare. */
  finish(manifest: Compared): Promise<void>;
}

/** What a statement makes again that another has taken away. */
interface Taken {
  readonly drop: string;
  readonly make: string;
}

/** Refuses a database that holds anything. */
export async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and not exists (select from pg_depend x where x.objid = c.oid and x.deptype = 'e')
     order by 1 limit 1`,
  );
  const [found] = rows;
  if (found)
    throw new BackupError(`The database is not empty: it has ${found.name}. Wardline goes into an empty one only.`);
}

/** Makes the tables as the build of the backup had them; inside the transaction of the caller. */
export async function beginLoading(client: pg.Client, schema: string, about: Tables): Promise<Loading> {
  await makeTablesAsOf(client, schema, new Map(about.migrations.map(({ name, checksum }) => [name, checksum])));
  const tables = await listTables(client);
  const leftOut = assertSameTables(about, tables);
  const triggers = await disableTriggers(client);
  // A foreign key is checked once over all rows, and an index built in one go: both take a fraction of row by row.
  const foreignKeys = await take(client, FOREIGN_KEYS);
  const indexes = await take(client, INDEXES);
  const names = tables.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  await client.query(`truncate ${names}`);
  return {
    leftOut,
    async load(name, rows) {
      if (leftOut.includes(name)) {
        for await (const _row of rows);
        return;
      }
      const kept = about.tables.find((table) => table.name === name);
      if (kept) await copyIn(client, kept, rows);
    },
    async finish(manifest) {
      const sequences = new Set((await listSequences(client)).map(({ name }) => name));
      await setSequences(
        client,
        about.sequences.filter(({ name }) => sequences.has(name)),
      );
      await client.query(`set local maintenance_work_mem = '256MB'`);
      for (const { make } of [...indexes, ...foreignKeys]) await client.query(make);
      for (const statement of triggers) await client.query(statement);
      await assertSameMigrations(client, about);
      // In the columns' order of the backup: in a database that was mended once it is another.
      for (const { name, columns } of about.tables) {
        const table = tables.find((made) => made.name === name);
        if (table) await assertSameRows(client, { ...table, columns }, manifest);
      }
      await client.query('analyze');
    },
  };
}

/** Names the tables that this build's migrations do not make; refuses where one of theirs is missing or has other columns. */
function assertSameTables(about: Tables, tables: readonly Table[]): string[] {
  const kept = new Map(about.tables.map(({ name, columns }) => [name, [...columns].sort().join(', ')]));
  for (const { name, columns } of tables) {
    const found = kept.get(name);
    if (found === undefined) throw new BackupError(`Table ${name}: the backup does not have it.`);
    if (found !== [...columns].sort().join(', ')) {
      throw new BackupError(`Table ${name}: the backup has the columns ${found}, and this build of that time others.`);
    }
  }
  const made = new Set(tables.map(({ name }) => name));
  return about.tables.map(({ name }) => name).filter((name) => !made.has(name));
}

const FOREIGN_KEYS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid::regclass::text, conname`;

const INDEXES = `
  select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  order by c.relname`;

async function take(client: pg.Client, query: string): Promise<readonly Taken[]> {
  const { rows } = await client.query<Taken>(query);
  for (const { drop } of rows) await client.query(drop);
  return rows;
}

/** What they did stands in the rows. Gives the statements that put each back as it was. */
async function disableTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ disable: string; enable: string }>(
    `select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as disable,
       format('alter table %s enable %strigger %I', tgrelid::regclass,
         case tgenabled when 'A' then 'always ' when 'R' then 'replica ' else '' end, tgname) as enable
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and tgenabled <> 'D' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  for (const { disable } of rows) await client.query(disable);
  return rows.map(({ enable }) => enable);
}

async function assertSameMigrations(client: pg.Client, about: Tables): Promise<void> {
  const { rows } = await client.query<About['migrations'][number]>(
    'select name, checksum from schema_migrations order by name',
  );
  const said = [...about.migrations].sort((one, other) => (one.name < other.name ? -1 : 1));
  if (JSON.stringify(rows) !== JSON.stringify(said.map(({ name, checksum }) => ({ name, checksum })))) {
    throw new BackupError('Table schema_migrations: names other migrations than the backup said.');
  }
}

async function assertSameRows(client: pg.Client, table: Table, manifest: Compared): Promise<void> {
  const kept = manifest.tables.find(({ name }) => name === table.name);
  const { bytes, measured } = measuring(copyOut(client, table));
  for await (const _bytes of bytes);
  const { rows, sha256 } = measured();
  if (rows === kept?.rows && sha256 === kept.sha256) return;
  throw new BackupError(`Table ${table.name}: ${rows} rows came back that are not the ${kept?.rows} of the backup.`);
}
