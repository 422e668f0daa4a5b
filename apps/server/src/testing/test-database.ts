import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, type Database } from '#/platform/db/database.ts';
import { createLog } from '#/platform/log.ts';
import { TEMPLATE_DATABASE } from './template-database.ts';

export interface TestDatabase {
  readonly db: Database;
  readonly connectionString: string;
  close(): Promise<void>;
}

/** A migrated database of one's own, copied from the run's template; dropped on close. */
export async function testDatabase(poolSize = 10): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = inject('postgres');
  await asOwner(server, `create database ${name} template ${TEMPLATE_DATABASE}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const db = createDatabase(url.href, createLog('silent'), poolSize);
  return {
    db,
    connectionString: url.href,
    async close() {
      await db.destroy();
      await asOwner(server, `drop database ${name} with (force)`);
    },
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
