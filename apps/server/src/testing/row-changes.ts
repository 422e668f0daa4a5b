import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

/** How many rows of each table were inserted, updated or deleted so far. */
export type RowChanges = Readonly<Record<string, number>>;

/**
 * Counts from now on every change of a row in every table but the given ones, also one that is rolled back: a sequence
 * forgets nothing. Unlike a look at what is stored, it costs the same however much that is.
 */
export async function watchRows(db: Database, except: readonly string[] = []): Promise<() => Promise<RowChanges>> {
  await sql`create schema row_changes`.execute(db);
  await sql`
    create function row_changes.count() returns trigger language plpgsql security definer as
    $$ begin perform nextval(tg_argv[0]::regclass); return null; end $$`.execute(db);
  for (const table of await tablesOf(db)) {
    if (except.includes(table)) continue;
    const sequence = sql.table(`row_changes.${table}`);
    const count = sql`execute function row_changes.count(${sql.lit(`row_changes.${table}`)})`;
    await sql`create sequence ${sequence}`.execute(db);
    await sql`create trigger z_rows after insert or update or delete on ${sql.table(table)} for each row ${count}`.execute(
      db,
    );
    await sql`create trigger z_truncate after truncate on ${sql.table(table)} for each statement ${count}`.execute(db);
    await sql`
      alter table ${sql.table(table)} enable always trigger z_rows, enable always trigger z_truncate`.execute(db);
  }
  return () => changesIn(db);
}

async function changesIn(db: Database): Promise<RowChanges> {
  const { rows } = await sql<{ name: string; changes: string }>`
    select sequencename as name, coalesce(last_value, 0) as changes from pg_sequences
    where schemaname = 'row_changes' order by 1`.execute(db);
  return Object.fromEntries(rows.map(({ name, changes }) => [name, Number(changes)]));
}

async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(db);
  return rows.map(({ name }) => name);
}
