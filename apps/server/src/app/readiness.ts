import { sql } from 'kysely';
import type { Bus } from '#/platform/cluster/bus.ts';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import type { Log } from '#/platform/log.ts';
import type { MalwareScanner } from '#/platform/malware/clamd.ts';
import { createHealthLook } from './health-look.ts';
import { createWriteProbe } from './write-probe.ts';

export interface Readiness {
  readonly database: boolean;
  readonly writable: boolean;
  readonly files: boolean;
  /** Both are left out where nothing looks for malware. */
  readonly malware_check?: boolean;
  /** At most 1,000 are counted; null where the database does not answer. */
  readonly files_held?: number | null;
  /** Whether this server hears the others; left out where there are none. */
  readonly other_servers?: boolean;
}

interface ReadinessDeps {
  readonly db: Database;
  readonly log: Log;
  readonly files: Pick<FileStore, 'probe'>;
  /** Null where nobody looks for malware. */
  readonly scanner: Pick<MalwareScanner, 'ping'> | null;
  /** Null where there are no other servers. */
  readonly bus: Pick<Bus, 'isHearing'> | null;
}

/** How what the server stands on is: for /ready, and for the system administration. */
export function createReadiness({ db, log, files, scanner, bus }: ReadinessDeps): () => Promise<Readiness> {
  const isWritable = createWriteProbe(db, log);
  const hasFiles = createHealthLook(
    { look: files.probe, failing: 'files can be neither read nor stored', wellAgain: 'files can be stored again' },
    log,
  );
  const isChecking =
    scanner &&
    createHealthLook(
      {
        look: scanner.ping,
        failing: 'new files wait: nobody checks them for malware',
        wellAgain: 'files are checked again',
      },
      log,
    );
  const malwareLines = async () =>
    isChecking && { malware_check: isChecking(), files_held: await countHeld(db).catch(() => null) };

  const look = async () => {
    const database = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    const writable = database && (await isWritable());
    const others = bus && { other_servers: bus.isHearing() };
    return { database, writable, files: hasFiles(), ...(await malwareLines()), ...others };
  };
  return () => asSystem('readiness', look);
}

/** How many files wait to be checked: at most 1,000 are counted. */
async function countHeld(db: Database): Promise<number> {
  const waiting = db.selectFrom('attachments').select('id').where('scan', '=', 'pending').limit(1_000);
  const { count } = await db
    .selectFrom(waiting.as('waiting'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
