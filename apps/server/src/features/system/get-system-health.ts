import { statfs } from 'node:fs/promises';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { getSystemHealth as endpoint, SystemHealth } from '@wardline/contract/facilities/system.ts';
import { sql } from 'kysely';
import { readLastBackup } from '#/platform/db/backups.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { VERSION } from '#/platform/version.ts';

/** What the installation stands on, as its settings say. */
export interface Installation {
  /** Of which day its release is (yyyy-mm-dd); null where the operator runs a PostgreSQL of their own. */
  readonly embeddedDatabase: { readonly releasedOn: string } | null;
  /** Files are in a bucket, not in the data folder. */
  readonly hasBucket: boolean;
  readonly dataDir: string;
}

/** How what the server stands on is; /ready says the same. */
interface Readiness {
  readonly writable: boolean;
  readonly files: boolean;
  readonly malware_check?: boolean;
  readonly files_held?: number | null;
}

export interface HealthDeps {
  readonly installation: Installation;
  readonly readiness: () => Promise<Readiness>;
  readonly readAudit: () => Promise<{
    readonly entries: number;
    readonly waiting: number;
    readonly waitingSince: Date | null;
    readonly isSigned: boolean;
  }>;
}

export function getSystemHealth({ installation, readiness, readAudit }: HealthDeps) {
  return async ({ actor, db }: Pick<RequestContext, 'actor' | 'db'>): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    const [ready, stored, audit, disk, lastBackupAt] = await Promise.all([
      readiness(),
      asSystem('readiness', () => readSizes(db)),
      readAudit(),
      readDisk(installation.dataDir),
      asSystem('readiness', () => readLastBackup(db)),
    ]);
    return {
      ...{ version: VERSION, node_version: process.versions.node },
      database: {
        version: stored.version,
        is_embedded: installation.embeddedDatabase !== null,
        bytes: stored.database_bytes,
        is_writable: ready.writable,
      },
      disk,
      files: {
        kept_in: installation.hasBucket ? 'bucket' : 'folder',
        is_available: ready.files,
        count: stored.file_count,
        bytes: stored.file_bytes,
        unfinished_uploads: stored.unfinished_uploads,
        verified_at: stored.verified_at?.toISOString() ?? null,
        malware_check: ready.malware_check ?? null,
        held: ready.files_held ?? 0,
      },
      backup: { last_at: lastBackupAt?.toISOString() ?? null },
      audit: {
        ...{ entries: audit.entries, waiting: audit.waiting, is_signed: audit.isSigned },
        waiting_since: audit.waitingSince?.toISOString() ?? null,
      },
    };
  };
}

/** Of the disk that holds a folder; null where the system does not say. */
export async function readDisk(folder: string): Promise<SystemHealth['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

interface Sizes {
  readonly version: string;
  readonly database_bytes: number;
  readonly file_count: number;
  readonly file_bytes: number;
  readonly unfinished_uploads: number;
  readonly verified_at: Date | null;
}

const sizes = typedRows<Sizes>({
  ...{ version: 'string', database_bytes: 'number', file_count: 'number' },
  ...{ file_bytes: 'number', unfinished_uploads: 'number', verified_at: 'date?' },
});

/** Files by what was stored of them; thumbnails, avatars and what waits to be removed are not counted. */
async function readSizes(db: RequestContext['db']): Promise<Sizes> {
  const found = await sizes.first(
    db,
    sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as database_bytes,
      stored.file_count, stored.file_bytes,
      (select count(*) from attachments where state = 'uploading') as unfinished_uploads,
      (select max(finished_at) from file_verifications) as verified_at
    from (
      select count(*) as file_count, coalesce(sum(bytes), 0)::bigint as file_bytes
      from attachments where state = 'ready' and copied_from is null
    ) stored`,
  );
  if (!found) throw new Error('the database said nothing of itself');
  return found;
}
