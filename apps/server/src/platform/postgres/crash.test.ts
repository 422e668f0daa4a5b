import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { isNightly } from '#/testing/nightly.ts';
import { findServer } from './bring-up.ts';
import { isServerOf } from './postmaster-pid.ts';
import { waitUntil } from './server-process.ts';
import { ended, startAndWaitCommand, startInChild } from './testing/node-child.ts';
import { query, scratchClusters } from './testing/scratch-cluster.ts';

describe('the embedded PostgreSQL after a kill', { timeout: 240_000 }, () => {
  const scratch = scratchClusters();

  test('OPS-3 a start after kill -9 of the Node process adopts the server it left, and can stop it', async () => {
    const dataDir = await scratch.cluster();
    const before = await startInChild(startAndWaitCommand(dataDir));
    await query(before.connectionString, 'create table kept (id int); insert into kept values (1)');
    before.child.kill('SIGKILL');
    await ended(before.child);
    expect(isServerOf(join(dataDir, 'postgres'), before.pid)).toBe(true);

    const after = await scratch.start(dataDir);
    expect(after).toMatchObject({ adopted: true, pid: before.pid, port: before.port });
    expect(await query(after.connectionString, 'select id from kept')).toEqual([{ id: 1 }]);
    await after.stop();
    expect(findServer(join(dataDir, 'postgres'))).toBeNull();
  });

  test.runIf(isNightly)('R7 an adopted server that dies is started again as well', async () => {
    const dataDir = await scratch.cluster();
    const before = await startInChild(startAndWaitCommand(dataDir));
    before.child.kill('SIGKILL');
    await ended(before.child);
    let restarts = 0;
    const after = await scratch.start(dataDir, { onRestart: () => (restarts += 1) });
    process.kill(after.pid, 'SIGKILL');
    expect(await waitUntil(() => restarts > 0, 60_000)).toBe(true);
    expect(await query(after.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each([
    ['the postmaster alone', false],
    ['the postmaster and all its backends', true],
  ])('R2 R7 kill -9 of %s: back by itself on the same port, every acknowledged row kept', async (_, withBackends) => {
    const dataDir = await scratch.cluster();
    let restarts = 0;
    const postgres = await scratch.start(dataDir, { onRestart: () => (restarts += 1) });
    const { port, pid } = postgres;
    await query(postgres.connectionString, 'create table acked (id int primary key)');
    const writer = startWriter(postgres.connectionString);
    expect(await waitUntil(() => writer.acked.length > 200, 60_000)).toBe(true);

    const backends = childrenOf(pid);
    process.kill(pid, 'SIGKILL');
    if (withBackends) for (const backend of backends) killIfThere(backend);
    const acked = await writer.done;

    expect(await waitUntil(() => restarts > 0, 60_000)).toBe(true);
    expect(postgres.port).toBe(port);
    expect(postgres.pid).not.toBe(pid);
    const rows = await query<{ id: number }>(postgres.connectionString, 'select id from acked');
    const present = new Set(rows.map((row) => row.id));
    expect(acked.filter((id) => !present.has(id))).toEqual([]);
  });

  test.runIf(isNightly)(
    'R7 a server that is killed again and again comes back each time, and stop() ends it for good',
    async () => {
      const dataDir = await scratch.cluster();
      let restarts = 0;
      const postgres = await scratch.start(dataDir, { onRestart: () => (restarts += 1) });
      for (let round = 1; round <= 3; round += 1) {
        process.kill(postgres.pid, 'SIGKILL');
        expect(await waitUntil(() => restarts === round, 60_000)).toBe(true);
      }
      process.kill(postgres.pid, 'SIGKILL');
      await sleep(250);
      await postgres.stop();
      await sleep(1000);
      expect(findServer(join(dataDir, 'postgres'))).toBeNull();
    },
  );

  test.runIf(isNightly)(
    'OPS-3 a stale postmaster.pid that names another living process is survived, and that process too',
    async () => {
      const dataDir = await scratch.cluster();
      await (await scratch.start(dataDir)).stop();
      const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      const clusterDir = join(dataDir, 'postgres');
      const stale = [bystander.pid, clusterDir, 1_700_000_000, 5999, '', '127.0.0.1', '  1234567  1', 'ready   ', ''];
      writeFileSync(join(clusterDir, 'postmaster.pid'), stale.join('\n'), { mode: 0o600 });

      const postgres = await scratch.start(dataDir);
      expect(postgres.adopted).toBe(false);
      await postgres.stop();
      expect(bystander.exitCode).toBeNull();
      expect(bystander.signalCode).toBeNull();
      bystander.kill('SIGKILL');
    },
  );

  test('OPS-3 a running server of another folder is not adopted on the word of a copied pid file', async () => {
    const other = await scratch.start(await scratch.cluster());
    const dataDir = await scratch.cluster();
    await (await scratch.start(dataDir)).stop();
    const clusterDir = join(dataDir, 'postgres');
    const copied = [other.pid, clusterDir, 1_700_000_000, other.port, '', '127.0.0.1', '', 'ready   ', ''].join('\n');
    writeFileSync(join(clusterDir, 'postmaster.pid'), copied, { mode: 0o600 });

    const postgres = await scratch.start(dataDir);
    expect(postgres.adopted).toBe(false);
    expect(postgres.pid).not.toBe(other.pid);
    await postgres.stop();
    expect(await query(other.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.runIf(isNightly)(
    'M2 OPS-3 a start that keeps failing is repeated for its time and then says what the server said',
    async () => {
      const dataDir = await scratch.cluster();
      await (await scratch.start(dataDir)).stop();
      writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n');
      const before = performance.now();
      await expect(scratch.start(dataDir, { startLimitMs: 3000 })).rejects.toThrow(/no_such_setting/);
      expect(performance.now() - before).toBeGreaterThan(3000);
    },
  );
});

function startWriter(url: string): { acked: number[]; done: Promise<number[]> } {
  const acked: number[] = [];
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  const write = async (): Promise<number[]> => {
    await client.connect();
    try {
      for (let id = 1; ; id += 1) {
        await client.query('insert into acked values ($1)', [id]);
        acked.push(id);
      }
    } catch {
      return acked;
    }
  };
  return { acked, done: write() };
}

/** PostgreSQL's backends are direct children of the postmaster, each in a session of its own. */
function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false;
    }
  });
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with its parent.
  }
}
