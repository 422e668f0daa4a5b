import type { Client } from 'pg';
import { MigrationError } from './migration-error.ts';
import type { SchemaFile } from './schema-files.ts';

const STANDS_ON_IT = '2BP01';

/** Rights that were given on a view or function, as the statements that give them again. */
type Grants = readonly { readonly name: string; readonly statement: string }[];

/**
 * Drops those of the names that are views, and the policies, which build_walls makes; resolves to the rights that somebody was given
 * on any of the names.
 */
export async function dropViews(client: Client, names: readonly string[]): Promise<Grants> {
  const grants = await readGrants(client, names);
  const policies = await client.query<{ statement: string }>(
    `select format('drop policy %I on %I', policyname, tablename) as statement from pg_policies
     where schemaname = 'public' and policyname in ('wall', 'wall_added')`,
  );
  for (const { statement } of policies.rows) await client.query(statement);
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind = 'v' and relnamespace = 'public'::regnamespace and relname = any($1) order by relname`,
    [names],
  );
  if (rows.length > 0) await drop(client, `drop view ${rows.map(({ name }) => name).join(', ')}`);
  return grants;
}

interface Before {
  /** Of everything that was made earlier or has a file now. */
  readonly names: readonly string[];
  readonly grants: Grants;
}

/**
 * Makes every function and view from its file, whatever was there under its name: what a database has does not depend on
 * which builds it has met. Functions of triggers stay and are replaced, since their triggers stand on them.
 */
export async function remakeFunctions(
  client: Client,
  files: readonly SchemaFile[],
  { names, grants }: Before,
): Promise<void> {
  const kept = new Set(files.map(({ name }) => name));
  const { rows } = await client.query<{ name: string; signature: string; is_trigger: boolean }>(
    `select proname as name, oid::regprocedure::text as signature, prorettype = 'trigger'::regtype as is_trigger from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any($1) order by 2`,
    [names],
  );
  const dropped = rows
    .filter(({ name, is_trigger }) => !is_trigger || !kept.has(name))
    .map(({ signature }) => signature);
  if (dropped.length > 0) await drop(client, `drop function ${dropped.join(', ')}`);
  for (const { path, text } of files) {
    try {
      await client.query(text);
    } catch (error) {
      throw new Error(`${path} could not be applied: ${String(error)}`, { cause: error });
    }
  }
  for (const { name, statement } of grants) if (kept.has(name)) await client.query(statement);
  await client.query('delete from schema_functions');
  await client.query('insert into schema_functions (name, checksum) select * from unnest($1::text[], $2::text[])', [
    files.map(({ name }) => name),
    files.map(({ checksum }) => checksum),
  ]);
}

/** Whom an owner or the public may not name: the first needs nothing, the second is said by each file. */
async function readGrants(client: Client, names: readonly string[]): Promise<Grants> {
  const { rows } = await client.query<Grants[number]>(
    `select c.relname as name, format('grant %s on %I to %s', a.privilege_type, c.relname, a.grantee::regrole) as statement
     from pg_class c cross join aclexplode(c.relacl) a
     where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace and c.relname = any($1)
       and a.grantee not in (0, c.relowner)
     union all
     select p.proname, format('grant execute on function %I to %s', p.proname, a.grantee::regrole)
     from pg_proc p cross join aclexplode(p.proacl) a
     where p.pronamespace = 'public'::regnamespace and p.proname = any($1) and a.grantee not in (0, p.proowner)`,
    [names],
  );
  return rows;
}

async function drop(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const { code, detail } = error as { code?: unknown; detail?: unknown };
    if (code !== STANDS_ON_IT) throw error;
    throw new MigrationError(
      `A function or view of apps/server/db/functions cannot be made anew, since something else stands on it: ${String(detail)}. ` +
        'Drop that first and make it again after the start; if it is part of Wardline, a migration does so.',
      { cause: error },
    );
  }
}
