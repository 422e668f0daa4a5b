import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '#/platform/config/read-config.ts';
import { claimOwnership, giveUpOwnership, ownerOf } from '#/platform/postgres/owner.ts';

const FILE = 'server.json';
/** A server that is just being replaced, as by `npm run dev`, gets time to end. */
const TRIES = 20;
const BETWEEN_MS = 100;

/**
 * Makes this process the one server of a data folder with an embedded database: two would each keep their own limits,
 * sockets and memory of who may what. Gives the function that lets go of it.
 */
export async function claimDataFolder(dataDir: string): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (let attempt = 1; !(await claimOwnership(dataDir, FILE)); attempt++) {
    if (attempt === TRIES) {
      throw new ConfigError(
        `Another Wardline server (process ${ownerOf(dataDir, FILE)?.pid ?? 'unknown'}) uses the data folder ${dataDir}.\n` +
          'Stop it first, or give this one a folder of its own by WARDLINE_DATA.',
      );
    }
    await sleep(BETWEEN_MS);
  }
  return () => giveUpOwnership(dataDir, FILE);
}
