import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionString, type Login, withClient } from './database-setup.ts';
import { disownStalePid, findLiveServer } from './postmaster-pid.ts';
import {
  foundServer,
  freePort,
  logPath,
  type ServerPlan,
  type ServerProcess,
  spawnServer,
  stopServer,
} from './server-process.ts';

export interface BringUp {
  readonly plan: ServerPlan;
  readonly owner: Login;
  /** The port to keep, so that connection strings stay good; null takes any free one. */
  readonly port: number | null;
  /** How long starts that fail are repeated. Recovery after a crash is waited for without a limit. */
  readonly limitMs: number;
  readonly isCancelled: () => boolean;
}

export interface BroughtUp {
  readonly server: ServerProcess;
  readonly adopted: boolean;
  readonly attempts: number;
}

const LONGEST_PAUSE_MS = 1000;

/**
 * Adopts the live server of the cluster folder or starts one, again and again: after a kill of the server
 * alone, its orphaned backends hold the shared memory for seconds and every start is refused until they end.
 */
export async function bringUp(request: BringUp): Promise<BroughtUp> {
  const deadline = performance.now() + request.limitMs;
  let pauseMs = 50;
  for (let attempts = 1; ; attempts += 1) {
    const found = findServer(request.plan.clusterDir);
    if (found === null) disownStalePid(request.plan.clusterDir);
    const server = found ?? (await spawnServer(request.plan, request.port ?? (await freePort())));
    if (await becomesReady(server, request, found !== null)) return { server, adopted: found !== null, attempts };
    if (request.isCancelled()) throw new Error('PostgreSQL was being started when it was told to stop.');
    if (performance.now() > deadline) throw startFailed(request, attempts);
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

export function findServer(clusterDir: string): ServerProcess | null {
  const live = findLiveServer(clusterDir);
  return live && foundServer(clusterDir, live);
}

/** Resolves to false when the process ended before it answered. */
async function becomesReady(server: ServerProcess, request: BringUp, found: boolean): Promise<boolean> {
  while (server.isAlive()) {
    const answer = await ask(server.port, request);
    if (answer === 'ready') return true;
    // Asked once more whether it lives: a server that could not have its port leaves us talking to a stranger.
    if (answer === 'password-refused' && (await stillAliveSoon(server))) {
      if (!found) await stopServer(server, { fastMs: 10_000, immediateMs: 10_000 });
      throw new Error(
        `PostgreSQL in ${request.plan.clusterDir} refuses the password in the secrets folder beside it. ` +
          'Restore the secrets folder that belongs to this data.',
      );
    }
    if (request.isCancelled() && !found) await stopServer(server, { fastMs: 10_000, immediateMs: 10_000 });
    await sleep(20);
  }
  return false;
}

async function stillAliveSoon(server: ServerProcess): Promise<boolean> {
  await sleep(200);
  return server.isAlive();
}

async function ask(port: number, request: BringUp): Promise<'ready' | 'not-yet' | 'password-refused'> {
  try {
    const folder = await withClient(connectionString(request.owner, port, 'postgres'), async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      return rows[0]?.data_directory;
    });
    return folder === request.plan.clusterDir ? 'ready' : 'not-yet';
  } catch (error) {
    return (error as { code?: unknown }).code === '28P01' ? 'password-refused' : 'not-yet';
  }
}

function startFailed(request: BringUp, attempts: number): Error {
  const path = logPath(request.plan.dataDir);
  const tail = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  const seconds = Math.round(request.limitMs / 1000);
  return new Error(`PostgreSQL did not start in ${attempts} attempts over ${seconds} s. The end of ${path}:\n${tail}`);
}
