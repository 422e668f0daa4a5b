import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '#/platform/config/read-config.ts';
import { hasSecret, readOrMakeSecret, secretPath } from '#/platform/config/secrets.ts';
import { findBinaries } from './binaries.ts';
import { type BringUp, type BroughtUp, bringUp, findServer } from './bring-up.ts';
import { ensureCluster } from './cluster.ts';
import {
  APP_ROLE,
  connectionString,
  createDatabaseIfMissing,
  DATABASE,
  ensureAppRole,
  type Login,
  ownerLogin,
  socketConnectionString,
  withClient,
} from './database-setup.ts';
import { assertDurable } from './durability.ts';
import { claimOwnership, giveUpOwnership } from './owner.ts';
import { chooseRunAs } from './run-as.ts';
import { LOOPBACK, type ServerPlan, type ServerProcess, type StopLimits, stopServer } from './server-process.ts';
import { type PostgresLog, type Restart, type Supervisor, supervise } from './supervisor.ts';

export interface EmbeddedPostgresOptions {
  /** Holds `postgres/` (the cluster), `secrets/` (0700) and `postgres.log`; made when missing. */
  readonly dataDir: string;
  readonly log: PostgresLog;
  /** Called each time the server had died and answers again, on the same port. */
  readonly onRestart?: (restart: Restart) => void;
  /** Where another live process runs the server, such as a backup: starts it again once that process has stopped it. */
  readonly takesOver?: boolean;
  /** How long a start that fails is repeated; orphans of a killed server hold it up for seconds. */
  readonly startLimitMs?: number;
  readonly stopLimits?: StopLimits;
}

export interface EmbeddedPostgres {
  /** As the owner and superuser, for migrations. */
  readonly connectionString: string;
  /** As `wardline_app`, which may only do what migrations grant. */
  readonly appConnectionString: string;
  readonly host: string;
  readonly port: number;
  /** Of the server process; another one after a restart. */
  readonly pid: number;
  /** True when an earlier (killed) process had left the server running, or another live process runs it. */
  readonly adopted: boolean;
  readonly version: string;
  /** Makes the database if it is missing; resolves to the owner's connection string for it. */
  ensureDatabase(name: string): Promise<string>;
  /** Stops the server, unless another live process runs it. */
  stop(): Promise<void>;
}

const START_LIMIT_MS = 45_000;
const STOP_LIMITS: StopLimits = { fastMs: 15_000, immediateMs: 15_000 };

/**
 * Starts PostgreSQL on the data folder, or adopts the server that already runs on it, and keeps it running
 * until `stop()`. Ends with an error that says what to do when it cannot.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  // Without symbolic links, so that it compares equal to what a running server's command line says.
  const dataDir = realpathSync(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  refuseWithoutPasswords(dataDir, clusterDir);
  const owner = ownerLogin(readOrMakeSecret(dataDir, 'postgres-owner-password'));
  const app: Login = { role: APP_ROLE, password: readOrMakeSecret(dataDir, 'postgres-app-password') };
  const binaries = findBinaries();
  const plan: ServerPlan = {
    dataDir,
    clusterDir,
    binaries,
    runAs: chooseRunAs(dataDir, clusterDir, binaries.postgres),
  };
  const limitMs = options.startLimitMs ?? START_LIMIT_MS;

  if (!(await claimOwnership(dataDir))) {
    const { server, version } = await joinServerOfOther(clusterDir, owner, limitMs);
    if (!options.takesOver) {
      return describe({ owner, app, version, adopted: true, current: () => server, stop: async () => {} });
    }
    const request: BringUp = { plan, owner, port: null, limitMs: Number.POSITIVE_INFINITY, isCancelled: () => false };
    const { current, stop } = superviseOfOther(server, request, options);
    return describe({ owner, app, version, adopted: true, current, stop });
  }

  let running: BroughtUp | null = null;
  try {
    const made = await ensureCluster({ ...plan, ownerPassword: owner.password });
    const request: BringUp = { plan, owner, port: null, limitMs, isCancelled: () => false };
    running = await bringUp(request);
    const version = await prepare(owner, app, running.server.port);
    const { adopted, attempts } = running;
    const fields = { pid: running.server.pid, version, adopted, attempts, cluster: made, runs: plan.runAs.how };
    options.log.info(fields, 'PostgreSQL is ready');
    const supervisor = supervise({
      server: running.server,
      restart: (port, isCancelled) => bringUp({ ...request, port, limitMs: Number.POSITIVE_INFINITY, isCancelled }),
      log: options.log,
      onRestart: options.onRestart ?? (() => {}),
    });
    const stop = () => stopOwned(supervisor, dataDir, options.stopLimits ?? STOP_LIMITS);
    return describe({ owner, app, version, adopted, current: supervisor.current, stop });
  } catch (error) {
    if (running !== null && !running.adopted) await stopServer(running.server, STOP_LIMITS).catch(() => {});
    giveUpOwnership(dataDir);
    throw error;
  }
}

/** The cluster was made with these: new ones would only be refused by it, after a long time and without a reason. */
function refuseWithoutPasswords(dataDir: string, clusterDir: string): void {
  const isMade = existsSync(join(clusterDir, 'global/pg_control'));
  const isKnown = hasSecret(dataDir, 'postgres-owner-password');
  if (!isMade || isKnown) return;
  throw new ConfigError(
    `The password of the embedded database is lost: ${secretPath(dataDir, 'postgres-owner-password')} is missing, but ` +
      `${clusterDir} was made with it. Put the folder secrets/ back from a backup of the data folder.`,
  );
}

/** Looks after a server that another process runs, and is its owner from the moment when that process has let go of it. */
function superviseOfOther(joined: ServerProcess, request: BringUp, options: EmbeddedPostgresOptions) {
  const { dataDir, clusterDir } = request.plan;
  let isOwner = false;
  const restart = async (port: number, isCancelled: () => boolean): Promise<BroughtUp> => {
    for (;;) {
      isOwner ||= await claimOwnership(dataDir);
      if (isOwner) return bringUp({ ...request, port, isCancelled });
      // The other process may have brought it back.
      const server = findServer(clusterDir);
      if (server && (await readVersion(connectionString(request.owner, server.port, DATABASE)).catch(() => null)))
        return { server, adopted: true, attempts: 1 };
      if (isCancelled()) throw new Error('PostgreSQL was being waited for when it was told to stop.');
      await sleep(100);
    }
  };
  const { log, onRestart = () => {} } = options;
  const supervisor = supervise({ server: joined, restart, log, onRestart });
  const stop = async () => {
    const server = await supervisor.end();
    // One that was killed has left it running.
    isOwner ||= await claimOwnership(dataDir);
    if (!isOwner) return;
    await stopServer(server, options.stopLimits ?? STOP_LIMITS);
    giveUpOwnership(dataDir);
  };
  return { current: supervisor.current, stop };
}

async function stopOwned(supervisor: Supervisor, dataDir: string, limits: StopLimits): Promise<void> {
  await stopServer(await supervisor.end(), limits);
  giveUpOwnership(dataDir);
}

/** The database and the app's role; both exist already except after the first start. */
async function prepare(owner: Login, app: Login, port: number): Promise<string> {
  const adminUrl = connectionString(owner, port, 'postgres');
  await createDatabaseIfMissing(adminUrl, DATABASE);
  await ensureAppRole(adminUrl, app.password);
  await withClient(connectionString(app, port, DATABASE), assertDurable);
  const ownerUrl = connectionString(owner, port, DATABASE);
  await withClient(ownerUrl, assertDurable);
  return readVersion(ownerUrl);
}

async function joinServerOfOther(clusterDir: string, owner: Login, limitMs: number) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const server = findServer(clusterDir);
    const url = connectionString(owner, server?.port ?? 0, DATABASE);
    const version = server && (await readVersion(url).catch(() => null));
    if (server && version) return { server, version };
    if (performance.now() > deadline) {
      throw new ConfigError(
        `Another process uses ${clusterDir}, but its PostgreSQL does not answer. Stop that process first.`,
      );
    }
    await sleep(100);
  }
}

function readVersion(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown';
  });
}

interface Resources {
  readonly owner: Login;
  readonly app: Login;
  readonly version: string;
  readonly adopted: boolean;
  readonly current: () => ServerProcess;
  readonly stop: () => Promise<void>;
}

function describe({ owner, app, version, adopted, current, stop }: Resources): EmbeddedPostgres {
  const server = current();
  return {
    connectionString: socketConnectionString(owner, server, DATABASE),
    appConnectionString: socketConnectionString(app, server, DATABASE),
    host: LOOPBACK,
    port: server.port,
    get pid() {
      return current().pid;
    },
    adopted,
    version,
    async ensureDatabase(name) {
      await createDatabaseIfMissing(connectionString(owner, server.port, 'postgres'), name);
      return socketConnectionString(owner, server, name);
    },
    stop,
  };
}
