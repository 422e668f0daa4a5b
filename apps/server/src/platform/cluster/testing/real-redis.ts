import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#/platform/postgres/server-process.ts';

/** Whether this machine has a Redis to start: on Debian the package redis-server. */
export function hasRedis(): boolean {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, 'redis-server')));
}

export interface RealRedis {
  readonly url: string;
  /** As a crash of the machine: nothing is said to anybody. */
  kill(): Promise<void>;
  /** The same address again. */
  start(): Promise<void>;
  /** Stopped and let go on: connections stay, and nothing is answered meanwhile. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
}

/** A Redis of one's own on the loopback that keeps nothing. */
export async function startRealRedis(): Promise<RealRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const kill = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
    const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
  };
  await start();
  return { url, kill, start, signal: (signal) => void child?.kill(signal), close: kill };
}
