import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isNightly } from '#/testing/nightly.ts';
import { findBinaries } from './binaries.ts';
import { chooseRunAs } from './run-as.ts';
import { ended, startAndWaitCommand, startInChild } from './testing/node-child.ts';
import { query, scratchClusters } from './testing/scratch-cluster.ts';

const NOBODY = 65_534;
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;
const isRoot = process.getuid?.() === 0;
const namespaceWorks = spawnSync('unshare', ['--user', '--map-user=65534', '--map-group=65534', 'true']).status === 0;

function nobodyCanRun(): boolean {
  const [setpriv, ...flags] = asNobody;
  return spawnSync(setpriv, [...flags, findBinaries().postgres, '--version']).status === 0;
}

describe('who PostgreSQL runs as', { timeout: 60_000 }, () => {
  const scratch = scratchClusters();

  test.skipIf(isRoot)('OPS-3 an ordinary user runs it directly (skipped as root)', () => {
    expect(chooseRunAs('/', '/none', 'postgres')).toEqual({ how: 'directly', prefix: [] });
  });

  test.skipIf(!isRoot || !namespaceWorks)(
    'OPS-3 root runs it in a user namespace, also with the programs below a closed home (skipped elsewhere)',
    async () => {
      const home = realpathSync(mkdtempSync(join(tmpdir(), 'wardline closed home ')));
      try {
        chmodSync(home, 0o700);
        cpSync(dirname(dirname(findBinaries().postgres)), join(home, 'native'), {
          recursive: true,
          verbatimSymlinks: true,
        });
        const program = join(home, 'native', 'bin', 'postgres');
        const { how, prefix } = chooseRunAs(home, join(home, 'postgres'), program);
        expect(how).toBe('user-namespace');
        const [unshare = '', ...args] = [...prefix, program, '--version'];
        expect(spawnSync(unshare, args, { encoding: 'utf8' }).stdout).toMatch(/PostgreSQL\) 18/);
      } finally {
        rmSync(home, { recursive: true });
      }
    },
  );

  test.skipIf(!isNightly || !isRoot || !nobodyCanRun())(
    'OPS-3 an ordinary user starts and stops it, and root goes on with the same data (at night, skipped unless root with setpriv)',
    async () => {
      const dataDir = scratch.folder('of an ordinary user');
      chownSync(dataDir, NOBODY, NOBODY);
      const started = await startInChild([...asNobody, ...startAndWaitCommand(dataDir)]);
      expect(started.uid).toBe(NOBODY);
      await query(started.connectionString, 'create table kept (id int); insert into kept values (1)');
      started.child.kill('SIGTERM');
      expect(await ended(started.child)).toBe(0);

      const postgres = await scratch.start(dataDir);
      expect(await query(postgres.connectionString, 'select id from kept')).toEqual([{ id: 1 }]);
    },
  );

  test.skipIf(!isRoot || !nobodyCanRun())(
    'OPS-3 root without user namespaces gives the cluster to an unprivileged user (skipped unless root)',
    async () => {
      const dataDir = scratch.folder();
      const clusterDir = join(dataDir, 'postgres');
      const program = findBinaries().postgres;
      const { how, user } = chooseRunAs(dataDir, clusterDir, program, () => false);
      expect(how).toBe('other-user');
      // An empty folder of that user makes the real start choose it, too.
      mkdirSync(clusterDir, { mode: 0o700 });
      chownSync(clusterDir, user?.uid ?? 0, user?.gid ?? 0);
      const first = await scratch.start(dataDir);
      await query(first.connectionString, 'create table kept (id int)');
      await first.stop();
      expect(statSync(join(clusterDir, 'PG_VERSION')).uid).toBe(user?.uid);
      expect(statSync(join(dataDir, 'secrets')).mode & 0o777).toBe(0o700);

      const stale = [process.pid, clusterDir, 1_700_000_000, 5999, '', '127.0.0.1', '', 'ready   ', ''].join('\n');
      writeFileSync(join(clusterDir, 'postmaster.pid'), stale, { mode: 0o600 });
      chownSync(join(clusterDir, 'postmaster.pid'), user?.uid ?? 0, user?.gid ?? 0);
      const second = await scratch.start(dataDir);
      expect(await query(second.connectionString, 'select id from kept')).toEqual([]);
    },
  );

  test.skipIf(!isRoot)('OPS-3 root without any way to step down is told what to do (skipped unless root)', () => {
    const home = scratch.folder('closed home');
    const dataDir = join(home, 'data');
    mkdirSync(dataDir);
    expect(() => chooseRunAs(dataDir, join(dataDir, 'postgres'), findBinaries().postgres, () => false)).toThrow(
      /ordinary user.*DATABASE_URL/s,
    );
  });
});
