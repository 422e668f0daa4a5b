import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { ConfigError } from '#/platform/config/read-config.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Log } from '#/platform/log.ts';

/** Held by each server for as long as it runs: alone, or together with those that it hears. */
const LOCK = '4802239183540721665';
/** A server that is just being replaced gets time to send its sockets away. */
const TRIES = 60;
const BETWEEN_MS = 250;

const claims = typedRows<{ servers: number }>({ servers: 'number' });

export interface ClaimOptions {
  /** Whether it hears other servers, by Redis. */
  readonly hearsOthers: boolean;
  /** Tells the secrets that all servers have in common from others; null where it hears nobody. */
  readonly print: string | null;
  /** Tells the place that keeps the files from others; null where it cannot be told. */
  readonly filesPrint: string | null;
  readonly log: Log;
  /** Another server has come between while the database was away: this one is to end. */
  readonly onTaken: () => void;
  /** How often it is tried, each 250 ms, before this server is refused. */
  readonly tries?: number;
}

/**
 * Makes this process the one server of a database, or one of those that hear each other by Redis: two that do not would each keep
 * their own sockets and memory of who may what. The claim is a lock of a connection of its own; when that breaks it is claimed again
 * as soon as the database is back. Gives the function that lets go of it. Throws a ConfigError that says who has it.
 */
export async function claimDatabase(connectionString: string, options: ClaimOptions): Promise<() => Promise<void>> {
  const { hearsOthers, log, onTaken, tries = TRIES } = options;
  let holder: pg.Client | null = null;
  let isLetGo = false;

  /** Null where it is this server's now, otherwise who has it. */
  async function tryOnce(): Promise<string | null> {
    const client = await connect(connectionString, options);
    const owner = await takeLock(client, hearsOthers).catch(async (error: unknown) => {
      await client.end();
      throw error;
    });
    if (owner === null && !isLetGo) {
      holder = client;
      client.once('end', () => void claimAgain());
    } else await client.end();
    return owner;
  }

  async function claim(): Promise<string | null> {
    for (let attempt = 1; ; attempt++) {
      const owner = await tryOnce();
      if (owner === null || attempt === tries) return owner;
      await sleep(BETWEEN_MS);
    }
  }

  async function claimAgain(): Promise<void> {
    while (!isLetGo) {
      try {
        const owner = await claim();
        if (owner === null) return;
        log.error({ owner }, 'another server has taken the database: this one ends');
        return onTaken();
      } catch (error) {
        log.debug({ err: error }, 'the database cannot be claimed again yet');
        await sleep(BETWEEN_MS, undefined, { ref: false });
      }
    }
  }

  const owner = await claim();
  if (owner !== null) throw new ConfigError(refusal(owner, hearsOthers));
  const letGo = async () => {
    isLetGo = true;
    await holder?.end();
  };
  const fault = holder === null ? null : await findUnlike(holder, options);
  if (fault === null) return letGo;
  await letGo();
  throw new ConfigError(fault);
}

type Prints = Pick<ClaimOptions, 'print' | 'filesPrint'>;

/** PostgreSQL cuts a name off after 63 bytes: the prints stand before the host. */
function nameOf({ print, filesPrint }: Prints): string {
  const prints = print === null ? [] : [print, ...(filesPrint === null ? [] : [filesPrint])];
  return `${['wardline', ...prints].join(' ')} on ${hostname()}, process ${process.pid}`;
}

const PRINTS = /^wardline ([0-9a-f]{8})(?: ([0-9a-f]{8}))? on /;

/** The name without the prints, which say nothing to a person. */
const withoutPrint = (name: string) => name.replace(PRINTS, 'wardline on ');

async function connect(connectionString: string, prints: Prints): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: nameOf(prints),
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    // Of a machine that is gone without a word PostgreSQL drops the connection, and with it the lock, after some ten seconds.
    options: '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Null where it is taken now, otherwise who has it. */
async function takeLock(client: pg.Client, isShared: boolean): Promise<string | null> {
  const { rows } = await client.query<{ is_taken: boolean }>(
    `select pg_try_advisory_lock${isShared ? '_shared' : ''}($1::bigint) as is_taken`,
    [LOCK],
  );
  if (rows[0]?.is_taken) return null;
  const [owner] = await listOwners(client);
  return owner === undefined ? 'one that has just ended' : withoutPrint(owner);
}

/** How many servers hold the claim of this database, the one that asks among them. */
export async function countServers(db: Database): Promise<number> {
  const found = await claims.first(
    db,
    sql`
    select count(*)::int as servers from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = ${LOCK}::bigint`,
  );
  return found?.servers ?? 0;
}

/** The names of those who hold the lock. */
async function listOwners(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and l.database = (select oid from pg_database where datname = current_database())
        and (l.classid::bigint << 32) | l.objid::bigint = $1::bigint`,
    [LOCK],
  );
  return rows.map(({ name }) => name);
}

/** What a server beside this one has otherwise, as a sentence; null where all are alike. A build of before says nothing of its own. */
async function findUnlike(client: pg.Client, { print, filesPrint }: Prints): Promise<string | null> {
  if (print === null) return null;
  const owners = (await listOwners(client)).map((name) => {
    const [, secrets, files] = PRINTS.exec(name) ?? [];
    return { name: withoutPrint(name), secrets, files };
  });
  const stranger = owners.find(({ secrets = print }) => secrets !== print);
  if (stranger !== undefined)
    return (
      `Another server of this database (${stranger.name}) has another WARDLINE_APP_KEY or WARDLINE_REALTIME_SECRET: the two would not hear each\n` +
      'other, and what one signs has no force at the other. Give all servers the same: docs/scaling.md.'
    );
  const apart = owners.find(({ files = filesPrint }) => filesPrint !== null && files !== filesPrint);
  if (apart === undefined) return null;
  return (
    `Another server of this database (${apart.name}) keeps files elsewhere: what is sent at one would not be found at the other.\n` +
    'Give all servers the same S3_BUCKET and S3_PREFIX, or on one machine the same WARDLINE_DATA: docs/scaling.md.'
  );
}

function refusal(owner: string, hearsOthers: boolean): string {
  const what = hearsOthers
    ? `A Wardline server without REDIS_URL uses this database (${owner}): it would not hear this one.`
    : `Another Wardline server uses this database (${owner}): without REDIS_URL the two would not hear each other.`;
  return `${what}\nStop that one first, or give both the same REDIS_URL: docs/scaling.md.`;
}
