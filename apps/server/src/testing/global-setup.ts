import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '#/platform/db/migrate.ts';
import { OWNER_ROLE } from '#/platform/postgres/cluster.ts';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { startEmbeddedPostgres } from '#/platform/postgres/embedded.ts';
import { TEMPLATE_DATABASE } from './template-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Owner's connection to the run's PostgreSQL; every test database is a copy of the template. */
    postgres: string;
  }
}

const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** One PostgreSQL for the whole run, with a migrated database that test files copy. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'wardline tests '));
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  // Nobody cuts the power of this one: a commit need not wait for the disk. Durability is tried on clusters of its own.
  await withClient(postgres.connectionString, (client) =>
    client.query(`alter role ${OWNER_ROLE} set synchronous_commit = off`),
  );
  const template = await postgres.ensureDatabase(TEMPLATE_DATABASE);
  await migrate(template, path.join(import.meta.dirname, '../../db'));
  project.provide('postgres', postgres.connectionString);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
