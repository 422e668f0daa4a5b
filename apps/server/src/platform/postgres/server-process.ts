import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, chownSync, closeSync, constants, existsSync, openSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { isServerOf, type PostmasterPid } from './postmaster-pid.ts';
import type { RunAs } from './run-as.ts';

export const LOOPBACK = '127.0.0.1';
const LOG_LIMIT_BYTES = 8_000_000;
/** Of macOS, without the byte that ends it; Linux takes four more. */
const LONGEST_SOCKET_PATH = 103;

export interface ServerPlan {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
}

/** A server process: a child of this process, or one that an earlier process left running. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** The folder of its Unix socket; null where it has none. */
  readonly socketDir: string | null;
  isAlive(): boolean;
}

/**
 * Settings are given on the command line: there they win over postgresql.conf and ALTER SYSTEM.
 * TCP on loopback for every tool, and a Unix socket for the application, which costs both ends less.
 */
function settings(port: number, socketDir: string | null): Record<string, string> {
  return {
    listen_addresses: LOOPBACK,
    port: String(port),
    // A list: quoted, a folder may have commas in its name.
    unix_socket_directories: socketDir === null ? '' : `"${socketDir.replaceAll('"', '""')}"`,
    max_connections: '60',
    huge_pages: 'off',
    dynamic_shared_memory_type: sharedMemoryType(),
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A confirmed message is on the disk.
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // No patient data in the log: no statements, no parameters, and no errors of sessions at all, because an
    // error's text quotes values ('invalid input syntax …: "Jane"'). The application sees and logs their codes.
    log_statement: 'none',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_min_error_statement: 'panic',
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
    log_line_prefix: '%m [%p] ',
  };
}

/** POSIX shared memory where the machine offers it; a plain file where /dev/shm is missing or closed. */
function sharedMemoryType(): string {
  if (process.platform !== 'linux') return 'posix';
  try {
    accessSync('/dev/shm', constants.W_OK);
    return 'posix';
  } catch {
    return 'mmap';
  }
}

/** In the cluster's own folder, which nobody else may enter; null where the socket's path would be longer than a system takes. */
function socketFolder(clusterDir: string, port: number): string | null {
  const path = join(clusterDir, `.s.PGSQL.${port}`);
  return process.platform === 'win32' || Buffer.byteLength(path) > LONGEST_SOCKET_PATH ? null : clusterDir;
}

/** Starts the program; it may still refuse a moment later (see `isAlive`). */
export async function spawnServer(plan: ServerPlan, port: number): Promise<ServerProcess> {
  const socketDir = socketFolder(plan.clusterDir, port);
  const options = Object.entries(settings(port, socketDir)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = '', ...args] = [...plan.runAs.prefix, plan.binaries.postgres, '-D', plan.clusterDir, ...options];
  const log = openLog(plan);
  try {
    // Detached: an interrupt key in the terminal goes to the whole foreground group, and would stop the
    // database under an application that is still finishing its requests.
    const stdio: ['ignore', number, number] = ['ignore', log, log];
    const env = programEnvironment();
    const child = spawn(program, args, { ...plan.runAs.user, cwd: plan.dataDir, detached: true, env, stdio });
    await started(child);
    child.unref();
    const { pid = 0 } = child;
    return { pid, port, socketDir, isAlive: () => child.exitCode === null && child.signalCode === null };
  } finally {
    closeSync(log);
  }
}

/** Nothing of our own environment: it may hold secrets, and PG… variables that would change the server. */
export function programEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', reject);
  });
}

/** Wraps a server that this process did not start. */
export function foundServer(clusterDir: string, found: PostmasterPid): ServerProcess {
  return { ...found, isAlive: () => isServerOf(clusterDir, found.pid) };
}

function openLog(plan: ServerPlan): number {
  const path = logPath(plan.dataDir);
  if (existsSync(path) && statSync(path).size > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`);
  const log = openSync(path, 'a', 0o600);
  if (plan.runAs.user) chownSync(path, plan.runAs.user.uid, plan.runAs.user.gid);
  return log;
}

export function logPath(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

export interface StopLimits {
  readonly fastMs: number;
  readonly immediateMs: number;
}

/** SIGINT rolls back open transactions and stops; SIGQUIT stops at once and leaves recovery to the next start. */
export async function stopServer(server: ServerProcess, limits: StopLimits): Promise<void> {
  for (const [signal, limitMs] of [['SIGINT', limits.fastMs] as const, ['SIGQUIT', limits.immediateMs] as const]) {
    if (!server.isAlive()) return;
    process.kill(server.pid, signal);
    if (await waitUntil(() => !server.isAlive(), limitMs)) return;
  }
  throw new Error(`PostgreSQL (pid ${server.pid}) did not stop within ${limits.fastMs + limits.immediateMs} ms.`);
}

export async function waitUntil(condition: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** A port that is free now. Somebody may take it before the server does: callers try again with another. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, LOOPBACK, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
