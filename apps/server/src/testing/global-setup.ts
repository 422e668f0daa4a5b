import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { OWNER_ROLE } from '#/platform/postgres/cluster.ts';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { startEmbeddedPostgres } from '#/platform/postgres/embedded.ts';
import { newDataFolder } from './cached-cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Owner's connection to the run's PostgreSQL; every test database is a copy of the template. */
    postgres: string;
  }
}

interface RunPostgres {
  readonly connectionString: string;
  stop(): Promise<void>;
}

/** On the process, because each project of a run loads this file anew. */
const runs = process as { wardlineTestPostgres?: { users: number; readonly started: Promise<RunPostgres> } };

/** One PostgreSQL for the whole run, with a migrated database that test files copy. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  runs.wardlineTestPostgres ??= { users: 0, started: start() };
  const run = runs.wardlineTestPostgres;
  run.users += 1;
  const postgres = await run.started;
  project.provide('postgres', postgres.connectionString);
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete runs.wardlineTestPostgres;
    await postgres.stop();
  };
}

async function start(): Promise<RunPostgres> {
  const dataDir = await newDataFolder();
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn() {} } });
  // Nobody cuts the power of this one: what a test fills need not wait for the disk. Durability is tried on clusters of its own.
  await withClient(postgres.connectionString, async (client) => {
    await client.query(`alter role ${OWNER_ROLE} set synchronous_commit = off`);
  });
  return {
    connectionString: postgres.connectionString,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
