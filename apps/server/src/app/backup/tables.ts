import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { reasonOf } from '#/platform/reason-of.ts';
import { BackupError } from './backup-error.ts';

/** A table of the schema `public` and what of it is kept: all columns but those that PostgreSQL computes. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** By what its rows are ordered, so that equal tables read equal: the primary key, else all columns. */
  readonly order: string;
}

export interface Sequence {
  readonly name: string;
  readonly last_value: string;
  readonly is_called: boolean;
}

/** Made anew from the files of the build, by every start that finds others. */
const NOT_KEPT = ['schema_functions'];

/** The same text for the same rows, whatever a server, a database or a role has set. */
const AS_TEXT = `
  select set_config(name, value, false) from (values
    ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('bytea_output', 'hex'), ('extra_float_digits', '1'),
    ('client_encoding', 'UTF8'), ('search_path', 'public'), ('row_security', 'off')
  ) as k (name, value)`;

/** A table may be read for hours. */
const WITHOUT_LIMIT = `
  select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/**
 * A connection of the owner for as long as it takes, or until the signal, with one way of writing values. After `goOn` the signal is not
 * heard any more: nobody would know what became of a commit that was cut.
 */
export async function withCopyClient<T>(
  connectionString: string,
  work: (client: pg.Client, goOn: () => void) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    application_name: 'wardline backup',
  });
  // Without a listener a connection that breaks would end the process before it has tidied up.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new BackupError(`The database cannot be reached: ${reasonOf(error)}`);
  });
  // With a statement under way the connection is cut.
  const cut = () => void client.end().catch(() => undefined);
  const goOn = () => signal?.removeEventListener('abort', cut);
  signal?.addEventListener('abort', cut);
  try {
    await client.query(AS_TEXT);
    await client.query(WITHOUT_LIMIT);
    return await work(client, goOn);
  } finally {
    goOn();
    await client.end().catch(() => undefined);
  }
}

export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
       coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = ''), '{}') as columns,
       coalesce((
         select string_agg(format('%I', k.attname) || case when k.attcollation <> 0 then ' collate "C"' else '' end, ', ' order by p.place)
         from pg_index i cross join unnest(i.indkey) with ordinality as p (attnum, place)
         join pg_attribute k on k.attrelid = c.oid and k.attnum = p.attnum
         where i.indrelid = c.oid and i.indisprimary
       ), string_agg(format('%I::text collate "C"', a.attname), ', ' order by a.attname) filter (where a.attgenerated = '')) as order
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all($1)
       and not exists (select from pg_depend x where x.objid = c.oid and x.deptype = 'e')
     group by c.oid, c.relname order by c.relname`,
    [NOT_KEPT],
  );
  return rows;
}

/** Where each stands now: what a snapshot does not hold still, and so never behind its rows. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows: named } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by relname`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of named) {
    const { rows } = await client.query<Omit<Sequence, 'name'>>(
      `select last_value::text, is_called from ${client.escapeIdentifier(name)}`,
    );
    sequences.push(...rows.map((row) => ({ name, ...row })));
  }
  return sequences;
}

export async function setSequences(client: pg.Client, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, last_value, is_called } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      client.escapeIdentifier(name),
      last_value,
      is_called,
    ]);
  }
}

/** The rows as PostgreSQL's own text, in order, as fast as they are taken. */
export function copyOut(client: pg.Client, { name, columns, order }: Table): Readable {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  return client.query(
    copyTo(`copy (select ${list} from ${client.escapeIdentifier(name)} order by ${order}) to stdout`),
  );
}

export async function copyIn(
  client: pg.Client,
  { name, columns }: Pick<Table, 'name' | 'columns'>,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  await pipeline(rows, client.query(copyFrom(`copy ${client.escapeIdentifier(name)} (${list}) from stdin`)));
}
