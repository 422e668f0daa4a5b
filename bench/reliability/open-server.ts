import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { freePort } from '../../apps/server/src/platform/postgres/server-process.ts';
import { startWardline } from '../durable-send/wardline-process.ts';

export interface OpenServer {
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string;
  /** What the server says of itself now: `wardline_realtime{what="sockets"}` and its like. */
  metric(name: string): Promise<number>;
}

/** One address stands for a hospital's many. */
export const MANY_BEHIND_ONE_ADDRESS = { WARDLINE_STRANGER_SOCKETS: '1000' };

const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** Runs `work` beside the server as it was built last, over a PostgreSQL of its own; both end with it. */
export async function withServer<Result>(
  settings: Readonly<Record<string, string>>,
  work: (server: OpenServer) => Promise<Result>,
): Promise<Result> {
  return withDatabase(async (databaseUrl, dataDir) => {
    const metricsPort = await freePort();
    const server = await startWardline(databaseUrl, dataDir, {
      ...settings,
      WARDLINE_METRICS_PORT: String(metricsPort),
    });
    try {
      const { port, pid } = server;
      return await work({ port, pid, databaseUrl, metric: (name) => readMetric(metricsPort, name) });
    } finally {
      await server.stop();
    }
  });
}

/** Runs `work` beside a migrated PostgreSQL and an empty data folder, which are gone afterwards. */
export async function withDatabase<Result>(
  work: (databaseUrl: string, dataDir: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  try {
    await migrate(postgres.connectionString, schema);
    return await work(postgres.connectionString, dataDir);
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function readMetric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  if (line === undefined) throw new Error(`the server does not measure ${name}`);
  return Number(line.slice(name.length + 1));
}
