import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, NoContent, Nothing, Page } from '../values.ts';

/** What the system administrator should look into, the most pressing first. */
export const SYSTEM_WARNINGS = [
  'audit_changed',
  'disk_low',
  'database_read_only',
  'files_unavailable',
  'files_damaged',
  'malware_check_unavailable',
  'demo_accounts_reachable',
  'unencrypted_url',
  'unknown_proxy',
  'audit_behind',
  'jobs_dead',
  'jobs_waiting',
  'badges_wrong',
  'backup_old',
  'database_fixes_missing',
  'mail_kept',
  'no_security_contact',
] as const;

export const SystemWarning = z.object({
  code: z.enum(SYSTEM_WARNINGS),
  /** How many, where it is about a number of something. */
  count: z.nullable(z.int()),
});
export type SystemWarning = z.infer<typeof SystemWarning>;

/** What all of these share: nothing of them is about one facility. */
const read = {
  method: 'GET',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
} as const;

export const listSystemWarnings = endpoint({
  ...read,
  name: 'listSystemWarnings',
  summary: 'What is the matter with the installation; an empty list where nothing is.',
  path: '/api/system/warnings',
  reply: z.object({ data: z.array(SystemWarning) }),
});

export const SystemHealth = z.object({
  version: z.string(),
  node_version: z.string(),
  database: z.object({
    version: z.string(),
    /** The embedded one gets fixes with versions of the product only. */
    is_embedded: z.boolean(),
    bytes: z.int(),
    is_writable: z.boolean(),
  }),
  /** Of the data folder; null where it could not be read. */
  disk: z.nullable(z.object({ free_bytes: z.int(), total_bytes: z.int() })),
  files: z.object({
    kept_in: z.enum(['folder', 'bucket']),
    is_available: z.boolean(),
    /** Attachments of messages; what was forwarded shares its file and counts once. */
    count: z.int(),
    bytes: z.int(),
    unfinished_uploads: z.int(),
    /** When all of them were last read through and compared with what was noted when they came; null where never. */
    verified_at: z.nullable(Instant),
    /** Whether new files are checked for malware; null where nothing checks them. */
    malware_check: z.nullable(z.boolean()),
    /** Files that wait for that, at most 1,000. */
    held: z.int(),
  }),
  backup: z.object({
    /** When the newest backup was made by the product's own command; null where none was. */
    last_at: z.nullable(Instant),
  }),
  audit: z.object({
    /** The last place of the chain. */
    entries: z.int(),
    waiting: z.int(),
    waiting_since: z.nullable(Instant),
    /** Whether the chain ends where a server left it. */
    is_signed: z.boolean(),
  }),
});
export type SystemHealth = z.infer<typeof SystemHealth>;

export const getSystemHealth = endpoint({
  ...read,
  name: 'getSystemHealth',
  summary: 'How the installation is: database, disk, files, audit, versions.',
  path: '/api/system/health',
  reply: SystemHealth,
});

export const JobKind = z.object({
  kind: z.string(),
  /** Due now, or planned for later. */
  waiting: z.int(),
  /** Failed at least once and tried again. */
  retrying: z.int(),
  /** Given up. */
  dead: z.int(),
});
export type JobKind = z.infer<typeof JobKind>;

export const getJobQueue = endpoint({
  ...read,
  name: 'getJobQueue',
  summary: 'The queue of jobs by kind, and since when the oldest that is due waits.',
  path: '/api/system/jobs',
  reply: z.object({ kinds: z.array(JobKind), oldest_due_at: z.nullable(Instant) }),
});

/** A job that was given up. What it was to do is in nobody's answer: it names people, or what somebody wrote. */
export const DeadJob = z.object({
  id: Id,
  kind: z.string(),
  /** A name and codes of an error, or a sentence of the product. */
  reason: z.nullable(z.string()),
  attempts: z.int(),
  created_at: Instant,
  dead_at: Instant,
});
export type DeadJob = z.infer<typeof DeadJob>;

export const listDeadJobs = endpoint({
  ...read,
  name: 'listDeadJobs',
  summary: 'The jobs that were given up, the newest first.',
  path: '/api/system/jobs/dead',
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  reply: Page(DeadJob),
});

const onJob = {
  access: 'signed-in',
  params: z.strictObject({ job: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
} as const;

export const retryJob = endpoint({
  ...onJob,
  name: 'retryJob',
  summary: 'Puts a job that was given up into the queue again.',
  method: 'POST',
  path: '/api/system/jobs/{job}/retry',
});

export const discardJob = endpoint({
  ...onJob,
  name: 'discardJob',
  summary: 'Removes a job that was given up.',
  method: 'DELETE',
  path: '/api/system/jobs/{job}',
});

export const testMail = endpoint({
  name: 'testMail',
  summary: 'Sends an email to my own address and says what came of it.',
  method: 'POST',
  path: '/api/system/mail-test',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({
    to: z.string(),
    /** kept: in a folder of the server, where nobody gets it. */
    outcome: z.enum(['sent', 'kept', 'failed']),
    reason: z.nullable(z.string()),
  }),
});

export const systemEndpoints = [
  listSystemWarnings,
  getSystemHealth,
  getJobQueue,
  listDeadJobs,
  retryJob,
  discardJob,
  testMail,
] as const;
