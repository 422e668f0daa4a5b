import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { ConfigError } from '#/platform/config/read-config.ts';
import type { Log } from '#/platform/log.ts';
import { APP_ROLE } from '#/platform/postgres/database-setup.ts';
import { withNamedStatements } from './named-statements.ts';
import type { DB } from './types.ts';

export type Database = Kysely<DB>;
export type DatabaseTransaction = Transaction<DB>;

const INT8_OID = 20;
const DATE_OID = 1082;

/** Of the connections of a pool: how many do something, how many do not, and how many requests wait for one. */
export interface PoolState {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/** As in the embedded PostgreSQL, whatever somebody has set for a role or a database: times are read in one zone, and in one form. */
const SESSION = { TimeZone: 'UTC', DateStyle: 'ISO', IntervalStyle: 'postgres', bytea_output: 'hex' } as const;

const pools = new WeakMap<Database, pg.Pool>();

/** Null for what is no pool of ours. */
export function poolState(db: Database): PoolState | null {
  const pool = pools.get(db);
  if (!pool) return null;
  const { totalCount, idleCount, waitingCount } = pool;
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

interface DatabaseOptions {
  readonly poolSize?: number;
  /** Works as the role that owns nothing, and says with each connection for whom. Otherwise as whoever the address names. */
  readonly isWalled?: boolean;
}

/**
 * A pool over one PostgreSQL. Queries end after 5 s; `bigint` arrives as a number (a chat's seq stays far below 2^53)
 * and `date` as its text, since a calendar day has no zone.
 */
export function createDatabase(
  connectionString: string,
  log: Log,
  { poolSize = 16, isWalled = false }: DatabaseOptions = {},
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 5_000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'wardline',
    options: Object.entries({ ...SESSION, ...(isWalled && { role: APP_ROLE }) })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    pipeline: isWalled,
    types: { getTypeParser: parserFor },
  });
  // A pool that ends lets its connections go without waiting for them: an embedded database that is stopped then cuts some.
  const warn = (error: Error, message: string) => void (pool.ending || log.warn({ err: error }, message));
  pool.on('error', (error) => warn(error, 'an idle database connection failed'));
  // A connection that breaks while a request holds it emits its own error, which nobody else hears; its query rejects.
  pool.on('connect', (client) => {
    client.on('error', (error: Error) => warn(error, 'a database connection failed'));
  });
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: withNamedStatements(pool, { statesActor: isWalled }) }),
  });
  pools.set(db, pool);
  return db;
}

/** Throws a ConfigError where something between drops what a connection asks for, and the database is set otherwise. */
export async function assertSessionSettings(db: Database): Promise<void> {
  const names = Object.keys(SESSION);
  const { rows } = await sql<{ name: keyof typeof SESSION; setting: string }>`
    select name, setting from pg_settings where name = any(${names})`.execute(db);
  const wrong = rows.filter(({ name, setting }) => setting.split(',')[0]?.replace('Etc/', '') !== SESSION[name]);
  if (wrong.length === 0) return;
  throw new ConfigError(
    'What the server asks for as it connects does not arrive: a pooler, or options in DATABASE_URL. Let it through, or give the role\n' +
      `of DATABASE_URL what is needed: ${wrong.map(({ name }) => `alter role … set ${name} = '${SESSION[name]}';`).join(' ')}`,
  );
}

function parserFor(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8_OID) return Number;
  if (oid === DATE_OID) return String;
  return pg.types.getTypeParser(oid, format as 'text');
}
