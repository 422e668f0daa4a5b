import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, type Database } from '#/platform/db/database.ts';
import { refuseSecondConnections } from '#/platform/db/second-connection.ts';
import { checkTypedRows } from '#/platform/db/typed-rows.ts';
import { createLog } from '#/platform/log.ts';
import { TEMPLATE_DATABASE } from './template-database.ts';

// Whatever runs in a test must find the rows that it says, and needs one connection at a time.
checkTypedRows();
refuseSecondConnections();

export interface TestDatabase {
  /** As the owner, for whom there are no policies: for what a test fills and looks at. */
  readonly db: Database;
  /** As the server works: by the role that owns nothing, and only for whom is stated. */
  readonly walled: Database;
  readonly connectionString: string;
  close(): Promise<void>;
}

type EmptyDatabase = Omit<TestDatabase, 'db' | 'walled'>;

/** A migrated database of one's own, copied from the run's template; dropped on close. */
export async function testDatabase(poolSize = 10): Promise<TestDatabase> {
  // Copied as files, not page by page through the log: a third of the time, and as much less to drop.
  const made = await makeDatabase(`template ${TEMPLATE_DATABASE} strategy file_copy`);
  const opened = openBoth(made.connectionString, poolSize);
  return {
    ...made,
    ...opened,
    async close() {
      await opened.close();
      await made.close();
    },
  };
}

/** Its two pools; `close` leaves the database. */
export function openBoth(connectionString: string, poolSize = 10): Pick<TestDatabase, 'db' | 'walled' | 'close'> {
  const db = createDatabase(connectionString, createLog('silent'), { poolSize });
  const walled = createDatabase(connectionString, createLog('silent'), { poolSize, isWalled: true });
  return { db, walled, close: async () => void (await Promise.all([db.destroy(), walled.destroy()])) };
}

/** A database with nothing in it, for what tries the migrations themselves; dropped on close. */
export function emptyDatabase(): Promise<EmptyDatabase> {
  return makeDatabase('');
}

async function makeDatabase(options: string): Promise<EmptyDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = inject('postgres');
  await asOwner(server, `create database ${name} ${options}`);
  return {
    connectionString: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    close: () => asOwner(server, `drop database ${name} with (force)`),
  };
}

async function asOwner(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
