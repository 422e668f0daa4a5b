import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { newDataFolder } from './demo-data.ts';

const MAIN = path.join(import.meta.dirname, '../../../apps/server/dist/main.js');
export const DEMO_PASSWORD = 'a long demo password';
// Less than a hook may take, so that the reason is told.
const START_LIMIT_MS = 80_000;
const OWNER = 'wardline_owner';

/** The built server as its own process, on a data folder of its own with the demo hospital in it. */
export interface WardlineProcess {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** SIGKILL, as a power cut would; PostgreSQL stays behind as an orphan. */
  kill(): Promise<void>;
  /** Starts again on the same data and port. */
  restart(): Promise<void>;
  /** Kills PostgreSQL's postmaster with SIGKILL; its supervisor brings it back. */
  killPostgres(): Promise<void>;
  /** Runs SQL as the owner of the embedded database, as somebody with the machine in their hands could; the last one's rows. */
  asDatabaseOwner(statements: string): Promise<readonly unknown[]>;
  /** SIGTERM, waits; the data stay. */
  halt(): Promise<void>;
  /** As `halt`, and removes the data. */
  stop(): Promise<void>;
  /** What the server printed. */
  output(): string;
}

interface StartOptions {
  /** Begins on an empty data folder and without the demo hospital, as an operator does. */
  readonly isEmpty?: boolean;
}

export async function startWardline(
  environment: Record<string, string> = {},
  { isEmpty = false }: StartOptions = {},
): Promise<WardlineProcess> {
  const dataDir = isEmpty ? await mkdtemp(path.join(tmpdir(), 'wardline-empty-')) : await newDataFolder();
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  let printed = '';
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const started = spawn(process.execPath, isEmpty ? [MAIN] : [MAIN, '--demo'], {
      env: {
        ...process.env,
        PORT: String(port),
        HOST: '127.0.0.1',
        WARDLINE_DATA: dataDir,
        WARDLINE_DEMO_PASSWORD: DEMO_PASSWORD,
        // Journeys write faster than people; the limits are tested where they are (F-S5).
        WARDLINE_WRITES_PER_SECOND: '1000',
        ...environment,
      },
      // By the channel it hears when we are gone, and ends as well.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const keep = (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-200_000);
    };
    started.stdout?.on('data', keep);
    started.stderr?.on('data', keep);
    await untilReady(started);
    return started;
  }

  async function untilReady(started: ChildProcess): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    let said = '';
    while (Date.now() < deadline) {
      if (started.exitCode !== null) throw new Error(`The server ended while it started:\n${printed}`);
      const answer = await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(String);
      if (typeof answer !== 'string' && answer.ok) return;
      said = typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`The server was not ready in time, and said "${said}" at last:\n${printed}`);
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async function halt(): Promise<void> {
    // A killed server leaves its PostgreSQL behind: a start adopts it, so that the stop ends both.
    if (child.exitCode !== null || child.signalCode !== null) child = await start();
    await end('SIGTERM');
  }

  return {
    baseUrl,
    dataDir,
    halt,
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGKILL');
      child = await start();
    },
    async killPostgres() {
      const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    async asDatabaseOwner(statements) {
      const [, , , port] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      const password = (await readFile(path.join(dataDir, 'secrets', 'postgres-owner-password'), 'utf8')).trim();
      const client = new pg.Client({
        host: '127.0.0.1',
        port: Number(port),
        user: OWNER,
        database: 'wardline',
        password,
      });
      await client.connect();
      let rows: readonly unknown[] = [];
      for (const statement of statements.split(';')) ({ rows } = await client.query(statement));
      await client.end();
      return rows;
    },
    async stop() {
      await halt();
      await rm(dataDir, { recursive: true, force: true });
    },
    output: () => printed,
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('No port was given.');
  return address.port;
}
