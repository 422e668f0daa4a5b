import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Day, Id, Instant, keyed, LimitQuery, NoContent, Nothing, Page, Text } from '../values.ts';
import { Population } from './census.ts';

/** What is written down: every change, refusal, reading of the log, export and print. */
export const CENSUS_ACTIONS = [
  'unit_day.save',
  'unit_day.submit',
  'unit_day.withdraw',
  'unit_day.return',
  'unit_day.approve',
  'unit_day.amend',
  'unit_day.restate',
  'unit_day.lock',
  'unit_day.estimate',
  'unit_day.estimate_withdraw',
  'unit_day.estimate_replace',
  'transfer.override',
  'snapshot.take',
  'nursing_hours.save',
  'facility_day.sign',
  'facility_day.lock',
  'facility_day.reopen',
  'reminder.send',
  'alert.acknowledge',
  'settings.change',
  'log.view',
  'log.verify',
  'log.export',
  'log.redact',
  'data.export',
  'data.import',
  'data.check',
  'feed.receive',
  'proposal.raise',
  'proposal.agree',
  'proposal.take',
  'proposal.dismiss',
  'stay.ask',
  'stay.settle',
  'stay.accept',
  'stay.dismiss',
  'print',
] as const;
export const CensusAction = z.enum(CENSUS_ACTIONS);
export type CensusAction = z.infer<typeof CensusAction>;

export const LogEntry = z.object({
  /** Without a gap within a facility. */
  seq: z.int(),
  at: Instant,
  actor_id: z.nullable(Id),
  /** The name and title as they were then. */
  actor_name: z.string(),
  actor_title: z.nullable(z.string()),
  action: CensusAction,
  outcome: z.enum(['done', 'refused']),
  unit_id: z.nullable(Id),
  unit_code: z.nullable(z.string()),
  census_date: z.nullable(Day),
  population: z.nullable(Population),
  /** The fields that changed. */
  before: z.nullable(keyed(z.unknown())),
  after: z.nullable(keyed(z.unknown())),
  after_approval: z.boolean(),
  reason_code: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  source: z.enum(['web', 'api', 'import', 'feed', 'job']),
  device_time: z.nullable(Instant),
  request_id: z.nullable(z.string()),
  /** Of the server that wrote it; null of entries from before it was kept. */
  app_version: z.nullable(z.string()),
  /** Null for those who may not see addresses. */
  ip: z.nullable(z.string()),
  /** The discussion about the report, where the reader takes part in it. */
  discussion_chat_id: z.nullable(Id),
  /** False where somebody changed its text past the server, so that it says nothing any more. */
  is_readable: z.boolean(),
  /** When its text was removed for its age; then only its number, hashes and what it was found by are left. */
  redacted_at: z.nullable(Instant),
  /** After how many years that was. */
  redacted_after_years: z.nullable(z.int()),
  prev_hash: z.string(),
  hash: z.string(),
});
export type LogEntry = z.infer<typeof LogEntry>;

const facilityParams = z.strictObject({ facility: Id });
const base = '/api/census/facilities/{facility}/logs';
const Flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
);

export const logFilter = {
  from: z.optional(Day),
  to: z.optional(Day),
  unit: z.optional(Id),
  actor: z.optional(Id),
  action: z.optional(CensusAction),
  after_approval: z.optional(Flag),
  with_reason: z.optional(Flag),
  q: z.optional(Text(0, 80)),
};

export const listCensusLog = endpoint({
  name: 'listCensusLog',
  summary: 'The census log of a facility, the newest first. `from` and `to` are census dates.',
  method: 'GET',
  path: base,
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ ...logFilter, cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(LogEntry),
});

/** What a walk along the chain found. It only shows that the log agrees with itself. */
export const LogVerification = z.object({
  verified_at: z.nullable(Instant),
  entries: z.int(),
  took_ms: z.nullable(z.int()),
  head: z.nullable(z.object({ seq: z.int(), hash: z.string() })),
  /** The first entry that does not follow, if any. */
  broken_at: z.nullable(z.int()),
  /** The first day of which what was signed is not what the log tells of; null where none is. */
  changed_day: z.nullable(Day),
  /** Heads of signed days that have left: on a sheet that was printed, in a mail that was sent. The newest first, at most 5. */
  kept_outside: z.array(
    z.object({
      census_date: Day,
      seq: z.int(),
      hash: z.string(),
      at: Instant,
      is_printed: z.boolean(),
      is_mailed: z.boolean(),
    }),
  ),
});
export type LogVerification = z.infer<typeof LogVerification>;

export const verifyCensusLog = endpoint({
  name: 'verifyCensusLog',
  summary: 'The last verification of the chain; with run=true it is done now, and logged.',
  method: 'GET',
  path: `${base}/verify`,
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ run: z.optional(Flag) }),
  body: Nothing,
  status: 200,
  reply: LogVerification,
});

export const exportCensusLog = endpoint({
  name: 'exportCensusLog',
  summary: 'The filtered log with its hashes as a file, CSV or JSON lines; logged.',
  method: 'GET',
  path: `${base}/export`,
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ ...logFilter, format: z.enum(['csv', 'jsonl']) }),
  body: Nothing,
  status: 200,
  isDownload: true,
  reply: z.unknown(),
});

/** What is put on paper: a sheet for each unit, the facility's day, the compilation of a period, the statistical report. */
export const PrintedSheet = z.enum(['units', 'day', 'month', 'doh']);
export type PrintedSheet = z.infer<typeof PrintedSheet>;

export const notePrint = endpoint({
  name: 'notePrint',
  summary: 'Writes into the log that somebody prints a sheet of these dates.',
  method: 'POST',
  path: '/api/census/facilities/{facility}/prints',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({ sheet: PrintedSheet, from: Day, to: Day }),
  status: 204,
  reply: NoContent,
});

export const censusLogEndpoints = [listCensusLog, verifyCensusLog, exportCensusLog, notePrint] as const;
