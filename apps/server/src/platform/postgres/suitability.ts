import { ConfigError } from '#/platform/config/read-config.ts';
import type { Queryable } from './durability.ts';

const OLDEST_POSTGRES = 160_000;

interface Found {
  readonly version: string;
  readonly number: number;
  readonly is_standby: boolean;
  readonly encoding: string;
  readonly role: string;
  readonly database: string;
  readonly schema: string | null;
  readonly may_create: boolean;
  readonly may_extend: boolean;
  readonly has_extension: boolean;
  /** Something that stands in `public` beside no bookkeeping of Wardline's. */
  readonly other: string | null;
}

/**
 * Refuses a PostgreSQL of the operator's, or a database in it, in which no installation can be kept, before anything is made in it.
 * Throws a ConfigError that says what to do.
 */
export async function assertSuitable(connection: Queryable): Promise<void> {
  const { rows } = await connection.query(`
    select current_setting('server_version') as version, current_setting('server_version_num')::integer as number,
      pg_is_in_recovery() as is_standby, current_setting('server_encoding') as encoding,
      quote_ident(current_user) as role, quote_ident(current_database()) as database, current_schema() as schema,
      coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), false) as may_create,
      has_database_privilege(current_database(), 'create') or exists (select from pg_extension where extname = 'btree_gist') as may_extend,
      exists (select from pg_available_extensions where name = 'btree_gist') as has_extension,
      (
        select c.relname from pg_class c
        where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and not exists (select from pg_depend x where x.objid = c.oid and x.deptype = 'e')
          and to_regclass('public.kysely_migration') is null
          and not exists (select from pg_attribute a where a.attrelid = to_regclass('public.schema_migrations') and a.attname = 'checksum')
        order by c.relname limit 1
      ) as other`);
  const fault = faultOf(rows[0] as Found);
  if (fault !== null) throw new ConfigError(fault);
}

function faultOf(found: Found): string | null {
  const { version, role, database, schema } = found;
  if (found.number < OLDEST_POSTGRES) return `PostgreSQL ${version} is too old: Wardline needs 16 or newer.`;
  if (found.is_standby) return 'This PostgreSQL is a standby, and takes no writes: have DATABASE_URL name the primary.';
  if (found.encoding !== 'UTF8') {
    return `The database ${database} is encoded in ${found.encoding}, and Wardline needs UTF8. Make another one:\n  create database NAME owner ${role} template template0 encoding 'UTF8';`;
  }
  if (found.other !== null) {
    return `The database ${database} holds what is none of Wardline's, such as ${found.other}. Wardline needs a database of its own:\n  create database NAME owner ${role};`;
  }
  if (!found.may_create || !found.may_extend) {
    return `The role ${role} may not make tables and extensions in the database ${database}: it must own it.\n  alter database ${database} owner to ${role};`;
  }
  if (schema !== 'public') {
    return `The tables of Wardline stand in the schema public, and the search_path of ${role} leads to ${schema ?? 'none'}.\n  alter role ${role} in database ${database} set search_path = public;`;
  }
  if (!found.has_extension) {
    return 'This PostgreSQL lacks the extension btree_gist, which is a part of it: install its package “contrib”.';
  }
  return null;
}
