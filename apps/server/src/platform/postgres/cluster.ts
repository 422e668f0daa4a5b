import { spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { RunAs } from './run-as.ts';
import { programEnvironment } from './server-process.ts';

export const OWNER_ROLE = 'wardline_owner';
const SERVER_MAJOR = '18';
const DRAFT = 'postgres.part-';
const PASSWORD_FILE = 'postgres.password-';

export interface ClusterPlan {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly ownerPassword: string;
}

/**
 * Makes the cluster folder if there is none. It is made under another name and renamed when finished, so a
 * folder with the final name is whole, and what an interrupted run left is thrown away and made again.
 * A damaged folder with the final name may hold a hospital's data and is never touched, only reported.
 */
export async function ensureCluster(plan: ClusterPlan): Promise<'created' | 'found'> {
  removeLeftovers(plan.dataDir);
  if (existsSync(plan.clusterDir) && readdirSync(plan.clusterDir).length > 0) {
    assertWhole(plan.clusterDir);
    return 'found';
  }
  const draft = join(plan.dataDir, `${DRAFT}${process.pid}`);
  const passwordFile = join(plan.dataDir, `${PASSWORD_FILE}${process.pid}`);
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(passwordFile, plan.ownerPassword, { mode: 0o600, flag: 'wx' });
    const { user } = plan.runAs;
    if (user) for (const path of [draft, passwordFile]) chownSync(path, user.uid, user.gid);
    await initdb(plan, draft, passwordFile);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, plan.clusterDir);
  syncFolder(plan.dataDir);
  return 'created';
}

async function initdb(plan: ClusterPlan, folder: string, passwordFile: string): Promise<void> {
  const first = await runInitdb(plan, folder, passwordFile, 'C.UTF-8');
  if (first.code === 0) return;
  if (!/locale/.test(first.output)) throw initdbFailed(first.output);
  // A few systems (macOS, some small images) have no C.UTF-8; C orders text the same way.
  const second = await runInitdb(plan, folder, passwordFile, 'C');
  if (second.code !== 0) throw initdbFailed(second.output);
}

function initdbFailed(output: string): Error {
  return new Error(`initdb could not create the database cluster:\n${output.trim()}`);
}

function runInitdb(plan: ClusterPlan, folder: string, passwordFile: string, locale: string) {
  const [program = '', ...args] = [
    ...plan.runAs.prefix,
    plan.binaries.initdb,
    ...['-D', folder, '-U', OWNER_ROLE, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--data-checksums', '--encoding=UTF8', `--locale=${locale}`],
  ];
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, {
      ...plan.runAs.user,
      cwd: plan.dataDir,
      env: programEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

function assertWhole(clusterDir: string): void {
  const version = readOrEmpty(join(clusterDir, 'PG_VERSION')).trim();
  if (version !== '' && version !== SERVER_MAJOR) {
    throw new Error(
      `The data folder ${clusterDir} was made by PostgreSQL ${version}, this is ${SERVER_MAJOR}. ` +
        'Restore a backup into an empty data folder, or use the release it was made with.',
    );
  }
  if (version === '' || !existsSync(join(clusterDir, 'global', 'pg_control'))) {
    throw new Error(
      `The data folder ${clusterDir} is not a whole PostgreSQL cluster (PG_VERSION or global/pg_control is ` +
        'missing). Nothing was changed in it: restore a backup, or move the folder away to begin with an empty one.',
    );
  }
}

/** Removes what interrupted runs left, except that of a process that is still at it. */
function removeLeftovers(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const prefix = [DRAFT, PASSWORD_FILE].find((candidate) => name.startsWith(candidate));
    if (prefix === undefined) continue;
    const pid = Number(name.slice(prefix.length));
    if (pid !== process.pid && isAlive(pid)) continue;
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
