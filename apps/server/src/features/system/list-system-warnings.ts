import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import {
  type listSystemWarnings as endpoint,
  SYSTEM_WARNINGS,
  type SystemHealth,
  type SystemWarning,
} from '@wardline/contract/facilities/system.ts';
import { sql } from 'kysely';
import { isLoopback } from '#/platform/config/read-config.ts';
import { readLastBackup } from '#/platform/db/backups.ts';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { countFixesSince } from '#/platform/postgres/fixes.ts';
import { type HealthDeps, readDisk } from './get-system-health.ts';

export interface WarningDeps extends HealthDeps {
  readonly settings: {
    readonly host: string;
    readonly publicUrl: string | null;
    readonly securityContact: string | null;
    readonly backupDays: number;
  };
  readonly keepsMails: boolean;
  readonly hasUnknownProxy: () => boolean;
  /** How many badges the newest nightly recount found wrong, and mended (CHAT-5). */
  readonly countWrongBadges: () => Promise<number>;
  /** How many attachments are given to nobody, since their files are not as they were stored (R22). */
  readonly countDamagedFiles: () => Promise<number>;
}

const LOW_DISK_BYTES = 2 * 1024 ** 3;
const LOW_DISK_SHARE = 0.1;
/** A job that is due begins within seconds, and so does an entry of the audit find its place. */
const LATE_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

/** For a system administrator, asked anew with every dashboard of theirs. */
export function listSystemWarnings(deps: WarningDeps) {
  return async ({ actor, db }: Pick<RequestContext, 'actor' | 'db'>): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    return { data: await findSystemWarnings(deps, db) };
  };
}

/** What is the matter, the most pressing first. */
export async function findSystemWarnings(deps: WarningDeps, db: Database): Promise<SystemWarning[]> {
  const { settings, keepsMails, hasUnknownProxy, installation } = deps;
  const [ready, audit, disk, found, wrongBadges, damagedFiles, lastBackupAt] = await Promise.all([
    deps.readiness(),
    deps.readAudit(),
    readDisk(installation.dataDir),
    readInstallation(db),
    deps.countWrongBadges(),
    deps.countDamagedFiles(),
    asSystem('readiness', () => readLastBackup(db)),
  ]);
  const isLate = (since: Date | null) => since !== null && Date.now() - since.getTime() > LATE_MS;
  const isReachable = !isLoopback(settings.host) || settings.publicUrl !== null || hasUnknownProxy();
  const holds: Readonly<Record<SystemWarning['code'], boolean | number>> = {
    audit_changed: !audit.isSigned,
    disk_low: isLow(disk),
    database_read_only: !ready.writable,
    files_unavailable: !ready.files,
    files_damaged: damagedFiles,
    malware_check_unavailable: ready.malware_check === false,
    demo_accounts_reachable: found.has_demo && isReachable,
    unencrypted_url: isUnencrypted(settings.publicUrl),
    unknown_proxy: hasUnknownProxy(),
    audit_behind: isLate(audit.waitingSince) && audit.waiting,
    jobs_dead: found.dead_jobs,
    jobs_waiting: isLate(found.oldest_due_at),
    badges_wrong: wrongBadges,
    // Nobody in the demo is real.
    backup_old: !found.has_demo && isBackupOld(settings.backupDays, { lastAt: lastBackupAt, begunAt: found.begun_at }),
    database_fixes_missing: !found.has_demo && countMissingFixes(installation),
    mail_kept: keepsMails,
    no_security_contact: settings.securityContact === null,
  };
  return SYSTEM_WARNINGS.filter((code) => holds[code] !== false && holds[code] !== 0).map((code) => {
    const count = holds[code];
    return { code, count: typeof count === 'number' ? count : null };
  });
}

/** Before it is full: a full disk stops the database, and then everything. */
export function isLow(disk: SystemHealth['disk']): boolean {
  if (disk === null) return false;
  return disk.free_bytes < Math.max(LOW_DISK_BYTES, disk.total_bytes * LOW_DISK_SHARE);
}

/** By how many days the newest backup is old; true where there is none in an installation as old. 0 days never warn. */
export function isBackupOld(
  days: number,
  { lastAt, begunAt }: { readonly lastAt: Date | null; readonly begunAt: Date | null },
): boolean | number {
  const since = lastAt ?? begunAt;
  if (days === 0 || since === null) return false;
  const age = Math.floor((Date.now() - since.getTime()) / DAY_MS);
  if (age < days) return false;
  return lastAt === null ? true : age;
}

function countMissingFixes({ embeddedDatabase }: HealthDeps['installation']): number {
  return embeddedDatabase === null ? 0 : countFixesSince(embeddedDatabase.releasedOn, new Date());
}

/** Between a browser and the address that people use anybody reads along. */
export function isUnencrypted(publicUrl: string | null): boolean {
  if (publicUrl === null) return false;
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

interface Looked {
  readonly has_demo: boolean;
  /** Since when somebody has an account here. */
  readonly begun_at: Date | null;
  readonly dead_jobs: number;
  readonly oldest_due_at: Date | null;
}

const looked = typedRows<Looked>({
  has_demo: 'boolean',
  begun_at: 'date?',
  dead_jobs: 'number',
  oldest_due_at: 'date?',
});

/** Of accounts and jobs, in one question. */
export async function readInstallation(db: RequestContext['db']): Promise<Looked> {
  const found = await looked.first(
    db,
    sql`
    select exists (select from users where is_demo and disabled_at is null) as has_demo,
      (select created_at from users where email not like '%@server.invalid' order by id limit 1) as begun_at,
      (select count(*)::integer from jobs where dead_at is not null) as dead_jobs,
      (select min(run_at) from jobs where dead_at is null and run_at <= now()) as oldest_due_at`,
  );
  if (!found) throw new Error('the database said nothing of itself');
  return found;
}
