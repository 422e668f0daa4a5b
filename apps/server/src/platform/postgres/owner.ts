import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processBirth } from './process-state.ts';

interface Owner {
  readonly pid: number;
  readonly birth: string;
}

const FILE = 'owner.json';

/**
 * The one Node process that starts, restarts and stops the server of a data folder. Others (a backup command
 * beside a running product) are guests: they connect and leave the server alone.
 * Returns true when this process became the owner.
 */
export async function claimOwnership(dataDir: string, file = FILE): Promise<boolean> {
  const path = join(dataDir, file);
  const mine: Owner = { pid: process.pid, birth: processBirth(process.pid) ?? '' };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      writeFileSync(path, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // Unreadable: another process may be writing it right now, so look again before calling it left behind.
      const current = readOwner(path) ?? (await sleep(50).then(() => readOwner(path)));
      if (current !== null && processBirth(current.pid) === current.birth) return false;
      rmSync(path, { force: true });
      continue;
    }
    // Two processes may both have removed a dead owner's file: only the last writer's content stays.
    await sleep(30);
    const current = readOwner(path);
    if (current?.pid === mine.pid) return true;
  }
  return false;
}

export function giveUpOwnership(dataDir: string, file = FILE): void {
  const path = join(dataDir, file);
  if (readOwner(path)?.pid === process.pid) rmSync(path, { force: true });
}

/** Who owns it, alive or not. */
export function ownerOf(dataDir: string, file = FILE): Pick<Owner, 'pid'> | null {
  return readOwner(join(dataDir, file));
}

function readOwner(path: string): Owner | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner;
  } catch {
    return null;
  }
}
