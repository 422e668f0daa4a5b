import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { takeBackupLock } from '#/platform/db/backups.ts';
import { findPendingMigrations, migrate } from '#/platform/db/migrate.ts';
import { BackupError } from './backup-error.ts';
import { assertEmpty, beginLoading } from './load-tables.ts';
import { describeTables } from './make-backup.ts';
import { measuring } from './measure.ts';
import type { Manifest } from './parts.ts';
import { copyOut, listTables, withCopyClient } from './tables.ts';

export interface MoveDeps {
  /** Both of their owners; no server works on either. */
  readonly from: string;
  readonly to: string;
  /** With `migrations/` and `functions/` of this build. */
  readonly schema: string;
  /** Once every row is there and was compared, before it is for good. */
  readonly onCompared: () => void;
  /** Ends it before its end: it throws, and leaves the other database empty. */
  readonly signal?: AbortSignal;
}

export interface Moved {
  readonly tables: Manifest['tables'];
  /** Tables that were no table of Wardline. */
  readonly leftOut: readonly string[];
}

/**
 * Copies every row of a database into an empty one, in one transaction, and reads it back there to compare. Sessions and what else is
 * under way go along: nothing is lost, so nothing has to begin anew. What goes wrong leaves both as they were.
 */
export async function moveDatabase({ from, to, schema, onCompared, signal }: MoveDeps): Promise<Moved> {
  // Refuses what a newer build has made.
  await findPendingMigrations(from, schema);
  const copy = (source: pg.Client, keepSource: () => void) =>
    withCopyClient(
      to,
      async (target, goOn) => {
        await target.query('begin');
        await assertEmpty(target);
        const moved = await copyRows(source, target, schema);
        keepSource();
        goOn();
        onCompared();
        await target.query('commit');
        return moved;
      },
      signal,
    );
  const moved = await withCopyClient(from, copy, signal);
  await migrate(to, schema);
  return moved;
}

async function copyRows(source: pg.Client, target: pg.Client, schema: string): Promise<Moved> {
  if (!(await takeBackupLock(source, () => sleep(100))))
    throw new BackupError('A backup of this database is under way. Wait for its end.');
  await source.query('begin isolation level repeatable read read only');
  const tables = await listTables(source);
  const loading = await beginLoading(target, schema, await describeTables(source, tables));
  const compared: Manifest['tables'] = [];
  for (const table of tables) {
    const { bytes, measured } = measuring(copyOut(source, table));
    await loading.load(table.name, bytes);
    const { rows, sha256 } = measured();
    compared.push({ name: table.name, rows, sha256 });
  }
  await loading.finish({ tables: compared });
  return { tables: compared, leftOut: loading.leftOut };
}
