import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The data folder that this run's servers start on a copy of, and the date in the demo hospital when it was made. */
const FOLDER = 'WARDLINE_E2E_DEMO';
const MADE_ON = 'WARDLINE_E2E_DEMO_MADE_ON';

const demoDate = () => new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/Dublin' });

/** Servers that start from now on copy this folder, whose own server has ended. */
export function offerDemoData(dataDir: string): void {
  process.env[FOLDER] = dataDir;
  process.env[MADE_ON] = demoDate();
}

/**
 * A data folder of one's own with the demo hospital in it, or an empty one, which the server fills itself: without a run
 * that has made one, and after a midnight, which would leave the newest census date to yesterday's.
 */
export async function newDataFolder(): Promise<string> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'wardline e2e '));
  const demo = process.env[FOLDER];
  // `cp` keeps whose the files are: PostgreSQL may run as another user than its starter.
  if (demo !== undefined && process.env[MADE_ON] === demoDate()) {
    await promisify(execFile)('cp', ['-a', `${demo}/.`, dataDir]);
  }
  return dataDir;
}
