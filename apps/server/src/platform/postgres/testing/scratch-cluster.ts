import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach } from 'vitest';
import { newDataFolder } from '#/testing/cached-cluster.ts';
import { findServer } from '../bring-up.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../embedded.ts';
import { waitUntil } from '../server-process.ts';

const quiet = { info: () => {}, warn: () => {} };

/** Folders and servers that are gone after each test, also after a failed one. */
export function scratchClusters() {
  const folders: string[] = [];
  const started: EmbeddedPostgres[] = [];

  afterEach(async () => {
    for (const postgres of started.splice(0)) await postgres.stop().catch(() => {});
    for (const folder of folders.splice(0)) {
      await killServerOf(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  return {
    /** A closed (0700) folder of its own; `mkdtemp` makes it so. */
    folder(label = 'cluster'): string {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), `wardline ${label} `)));
      folders.push(folder);
      return folder;
    },
    /** As `folder`, with a new cluster in it: for what happens after the first start, which takes seconds. */
    async cluster(): Promise<string> {
      const folder = realpathSync(await newDataFolder('cluster'));
      folders.push(folder);
      return folder;
    },
    async start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
      const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, ...options });
      started.push(postgres);
      return postgres;
    },
  };
}

async function killServerOf(dataDir: string): Promise<void> {
  const left = findServer(join(dataDir, 'postgres'));
  if (left === null) return;
  process.kill(left.pid, 'SIGQUIT');
  await waitUntil(() => !left.isAlive(), 5000);
}

export async function query<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
