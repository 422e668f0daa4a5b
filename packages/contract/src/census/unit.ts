import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Day, Id, Instant, LimitQuery, Nothing, Page, Text, Version } from '../values.ts';
import {
  Beds,
  Count,
  Counts,
  DayText,
  Estimate,
  FEED_FIELDS,
  FigureChange,
  fieldsOf,
  Person,
  Population,
  ReasonCode,
  SUMMED_FIELDS,
  UnitDayCondition,
  UnitDayStatus,
} from './census.ts';

/** One side's word against the other's: patients who moved between this unit and a partner on this date. */
export const Transfer = z.object({
  unit_id: Id,
  unit_code: z.string(),
  direction: z.enum(['in', 'out']),
  /** What this unit says; null: nothing said. */
  mine: z.nullable(Count),
  /** What the partner says. */
  theirs: z.nullable(Count),
  /** The partner's report of the date; null when it has none. */
  partner_status: z.nullable(UnitDayStatus),
});
export type Transfer = z.infer<typeof Transfer>;

const Acts = z.object({
  edit: z.boolean(),
  submit: z.boolean(),
  withdraw: z.boolean(),
  return: z.boolean(),
  approve: z.boolean(),
  amend: z.boolean(),
});

/** What the patient system says of a unit-day: it pre-fills and cross-checks, and is never the report. */
export const FeedDay = z.object({
  counts: z.object(fieldsOf(FEED_FIELDS, z.int())),
  /** Who was in the unit when the date began. Left out by an older server. */
  opening: z.optional(z.int()),
  /** Null or left out where the admission of somebody who was discharged is not known. */
  discharge_days: z.optional(z.nullable(z.int())),
  /** Who is in the unit at the census hour, those on leave included. */
  closing: z.int(),
  beds_blocked: z.int(),
  transfers: z.array(
    z.object({ unit_id: Id, unit_code: z.string(), direction: z.enum(['in', 'out']), count: z.int() }),
  ),
});
export type FeedDay = z.infer<typeof FeedDay>;

/** A count of a signed report, and what the patient system has said of it since. */
export const ProposedCount = z.object({ field: z.enum(FEED_FIELDS), signed: z.int(), told: z.int() });
export type ProposedCount = z.infer<typeof ProposedCount>;

/** Between which numbers a count lies on such dates, both included. */
export const UsualRange = z.object({ least: z.int(), most: z.int() });
export type UsualRange = z.infer<typeof UsualRange>;

const UnusualCount = z.object({ field: z.enum(SUMMED_FIELDS), count: z.int(), ...UsualRange.shape });

/** How whoever asks gets a report corrected: on its page, by reopening its day on the summary, or by asking one of these people. */
export const Correction = z.object({ way: z.enum(['report', 'day', 'ask']), people: z.array(Person) });
export type Correction = z.infer<typeof Correction>;

/** The correction of a report that was approved before: why, and what it says otherwise than it was approved with. */
export const Amendment = z.object({ reason_code: z.string(), reason: z.string(), changes: z.array(FigureChange) });
export type Amendment = z.infer<typeof Amendment>;

/**
 * How many later reports open otherwise once a report is approved, and how many of these are signed or locked. Where whoever asks
 * may not change those: some who may approve it; null or left out where they may.
 */
export const Restated = z.object({ days: z.int(), signed: z.int(), ask: z.optional(z.nullable(z.array(Person))) });
export type Restated = z.infer<typeof Restated>;

/** A unit's report of one census date for one population. Not begun: status draft, version 0. */
export const UnitDay = z.object({
  facility_id: Id,
  unit_id: Id,
  unit_code: z.string(),
  unit_name: z.string(),
  census_date: Day,
  population: Population,
  status: UnitDayStatus,
  conditions: z.array(UnitDayCondition),
  source: z.enum(['manual', 'adt', 'import']),
  /** 0 while nothing is stored; every stored change raises it. */
  version: z.int().check(z.gte(0)),
  /** The caller's own request whose entry this is; null or left out where it is somebody else's, or was acted on since. */
  saved_request: z.optional(z.nullable(Id)),
  /** Carried forward; where the unit has no earlier report it is what was given as `seed`, null while nothing is. */
  opening: z.nullable(Count),
  /** The date whose closing the opening is. */
  opening_from: z.nullable(Day),
  /** How that date is corrected; null where it is not known, left out by an older server. */
  opening_correction: z.optional(z.nullable(Correction)),
  counts: Counts,
  /** Whether the facility asks its units for discharge days. */
  asks_discharge_days: z.optional(z.boolean()),
  /** Whether the unit closes after this date: its report is handed in once nobody is left. Left out by an older server. */
  is_last_day: z.optional(z.boolean()),
  closing: z.nullable(z.int()),
  /** closing − on leave: the people in the unit. */
  present: z.nullable(z.int()),
  /** present + admitted and discharged the same day. */
  service_days: z.nullable(z.int()),
  beds: Beds,
  transfers: z.array(Transfer),
  variance_reason: z.nullable(z.string()),
  /** By how many the head count differed when the reason was given: it is for no other numbers. Left out by an older server. */
  variance_for: z.optional(z.nullable(z.int())),
  variance_by: z.optional(z.nullable(Person)),
  /** Whose head count it is. */
  counted_by: z.optional(z.nullable(Person)),
  capacity_reason: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** Of the facility, as it was for this date. */
  time_zone: z.string(),
  census_at: Instant,
  due_at: Instant,
  submitted_at: z.nullable(Instant),
  submitted_by: z.nullable(Person),
  /** Whether somebody who may approve it has opened it since: it is taken back no more. Left out by an older server. */
  is_reviewed: z.optional(z.boolean()),
  /** Of the first time it was submitted. */
  is_on_time: z.nullable(z.boolean()),
  approved_at: z.nullable(Instant),
  approved_by: z.nullable(Person),
  /** The words of the last return, amendment or reopening. */
  last_reason: z.nullable(z.string()),
  /** While a correction is open; null or left out where there is none. */
  amendment: z.optional(z.nullable(Amendment)),
  /** What an approval would change after it. For those who may approve. */
  restates: z.optional(z.nullable(Restated)),
  /** While the report is missing; null or left out where there is none. */
  estimate: z.optional(z.nullable(Estimate)),
  /** The discussion about this report. */
  discussion_chat_id: z.nullable(Id),
  /** Null where no patient system is connected, or it says nothing of this date yet. */
  feed: z.optional(z.nullable(FeedDay)),
  /** For each count what the unit usually has on such a weekday; null of one with too little history. For those who may type. */
  usual: z.optional(z.nullable(z.object(fieldsOf(SUMMED_FIELDS, z.nullable(UsualRange))))),
  /** Unusual counts that whoever submitted the report was asked about, and said to be right. */
  confirmed: z.optional(z.array(UnusualCount)),
  /** The proposed correction that is open; null or left out where there is none. */
  proposal: z.optional(z.nullable(z.object({ id: Id, counts: z.array(ProposedCount) }))),
  /** What the person who asks may do now. */
  may: Acts,
});
export type UnitDay = z.infer<typeof UnitDay>;

/** A report that somebody owes, as a row of their list. */
export const OwedReport = z.object({
  facility_id: Id,
  unit_id: Id,
  unit_code: z.string(),
  unit_name: z.string(),
  census_date: Day,
  population: Population,
  status: UnitDayStatus,
  conditions: z.array(UnitDayCondition),
  version: z.int(),
  time_zone: z.string(),
  census_at: Instant,
  due_at: Instant,
  last_reason: z.nullable(z.string()),
});
export type OwedReport = z.infer<typeof OwedReport>;

export const listOwedReports = endpoint({
  name: 'listOwedReports',
  summary: 'The reports that the caller’s units owe, the most urgent first.',
  method: 'GET',
  path: '/api/census/owed',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({
    facility: z.optional(Id),
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: Page(OwedReport),
});

/** The submitted reports of a census date that wait for an approval. */
export const ReportsToApprove = z.object({
  facility_id: Id,
  census_date: Day,
  time_zone: z.string(),
  reports: z.array(z.object({ unit_id: Id, unit_code: z.string(), population: Population })),
});
export type ReportsToApprove = z.infer<typeof ReportsToApprove>;

export const listReportsToApprove = endpoint({
  name: 'listReportsToApprove',
  summary:
    'Submitted reports that the caller may approve, by facility and census date, the oldest date first; at most 100 dates.',
  method: 'GET',
  path: '/api/census/to-approve',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(ReportsToApprove) }),
});

const unitDayParams = z.strictObject({ unit: Id, date: DayText, population: Population });
const unitDayPath = '/api/census/units/{unit}/days/{date}/{population}';

/** An id made on the device: a repeat of a request with the same one is the same request. */
const ClientId = Id;

export const getUnitDay = endpoint({
  name: 'getUnitDay',
  summary: 'A unit’s report of a date and population, also when it is not begun.',
  method: 'GET',
  path: unitDayPath,
  access: 'signed-in',
  params: unitDayParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: UnitDay,
});

export const GivenTransfer = z.strictObject({ unit_id: Id, direction: z.enum(['in', 'out']), count: Count });
export type GivenTransfer = z.infer<typeof GivenTransfer>;

/** So many requests may have been replaced before one is answered. */
export const MOST_REPLACED = 50;

/** What the person typed; `version` is the one it was based on. */
export const UnitDayEntry = z.strictObject({
  client_id: ClientId,
  version: Version,
  /** Earlier requests of this device that this one takes the place of: what they stored is no conflict, their answer was lost. */
  replaces: z.optional(z.array(ClientId).check(z.maxLength(MOST_REPLACED))),
  counts: Counts,
  /** The unit's first report ever: how many were in before it. */
  seed: z.optional(z.nullable(Count)),
  /** A total somebody typed themselves, to be compared with the computed one. */
  closing: z.optional(z.nullable(Count)),
  /** Replaces all that this unit said; their sums must be transfers_in and transfers_out. */
  transfers: z.array(GivenTransfer).check(z.maxLength(200)),
  beds_staffed: z.optional(z.nullable(Count)),
  beds_blocked: z.optional(z.nullable(Count)),
  variance_reason: z.optional(z.nullable(Text(0, 500))),
  /** For which difference (head count − present) the reason is given. Left out: new words are for these numbers, old ones for theirs. */
  variance_for: z.optional(z.nullable(z.int().check(z.gte(-9999), z.lte(9999)))),
  capacity_reason: z.optional(z.nullable(Text(0, 500))),
  note: z.optional(z.nullable(Text(0, 500))),
  /** Counts outside what is usual that the person was asked about and confirmed; kept with a report that is submitted. */
  confirmed: z.optional(z.array(z.enum(SUMMED_FIELDS)).check(z.maxLength(SUMMED_FIELDS.length))),
  /** Saved and submitted in one step, as a report leaves an offline device. */
  submit: z.boolean(),
  device_time: z.optional(Instant),
});
export type UnitDayEntry = z.infer<typeof UnitDayEntry>;

export const putUnitDay = endpoint({
  name: 'putUnitDay',
  summary:
    'Saves a report, and submits it if asked. 409 when somebody else changed it since `version`; 422 with a finding per broken rule.',
  method: 'PUT',
  path: unitDayPath,
  access: 'signed-in',
  params: unitDayParams,
  query: Nothing,
  body: UnitDayEntry,
  status: 200,
  reply: UnitDay,
});

const Act = z.strictObject({ client_id: ClientId, version: Version, device_time: z.optional(Instant) });
/** At least 5 characters say why. */
const Reason = Text(0, 500);
const ReasonedAct = z.strictObject({ client_id: ClientId, version: Version, reason: Reason });
const AmendAct = z.strictObject({ client_id: ClientId, version: Version, reason_code: ReasonCode, reason: Reason });

function unitDayAct<Name extends string, Body extends z.ZodMiniType>(
  name: Name,
  { verb, summary, body }: { verb: string; summary: string; body: Body },
) {
  return endpoint({
    name,
    summary,
    method: 'POST',
    path: `${unitDayPath}/${verb}`,
    access: 'signed-in',
    params: unitDayParams,
    query: Nothing,
    body,
    status: 200,
    reply: UnitDay,
  });
}

export const submitUnitDay = unitDayAct('submitUnitDay', {
  verb: 'submit',
  summary: 'Hands a saved report in.',
  body: Act,
});
export const withdrawUnitDay = unitDayAct('withdrawUnitDay', {
  verb: 'withdraw',
  summary: 'Takes one’s own report back before anybody reviewed it.',
  body: Act,
});
export const returnUnitDay = unitDayAct('returnUnitDay', {
  verb: 'return',
  summary: 'Returns a report with a reason, which opens its discussion.',
  body: ReasonedAct,
});
export const approveUnitDay = unitDayAct('approveUnitDay', {
  verb: 'approve',
  summary: 'Approves a submitted report; not one’s own where four eyes are asked for.',
  body: Act,
});
export const amendUnitDay = unitDayAct('amendUnitDay', {
  verb: 'amend',
  summary: 'Opens an approved or locked report for a correction, with a reason.',
  body: AmendAct,
});

export const estimateUnitDay = unitDayAct('estimateUnitDay', {
  verb: 'estimate',
  summary: 'Says how many patients are taken to be in a unit whose report is missing past its deadline, and why.',
  body: z.strictObject({ client_id: ClientId, census: Count, reason: Reason }),
});
export const withdrawEstimate = unitDayAct('withdrawEstimate', {
  verb: 'estimate/withdraw',
  summary: 'Takes an estimate back.',
  body: z.strictObject({ client_id: ClientId }),
});

/** A count of who is in the unit beside the census hour. It never enters the balance. */
export const Snapshot = z.object({
  id: Id,
  unit_id: Id,
  population: Population,
  taken_at: Instant,
  occupied: Count,
  blocked: Count,
  staffed: Count,
  taken_by: Person,
});
export type Snapshot = z.infer<typeof Snapshot>;

export const takeSnapshot = endpoint({
  name: 'takeSnapshot',
  summary: 'Stores a count of the unit as it is at an hour of the day.',
  method: 'POST',
  path: '/api/census/units/{unit}/snapshots',
  access: 'signed-in',
  params: z.strictObject({ unit: Id }),
  query: Nothing,
  body: z.strictObject({
    client_id: ClientId,
    population: Population,
    taken_at: Instant,
    occupied: Count,
    blocked: Count,
  }),
  status: 200,
  reply: Snapshot,
});

export const censusUnitEndpoints = [
  listOwedReports,
  listReportsToApprove,
  getUnitDay,
  putUnitDay,
  submitUnitDay,
  withdrawUnitDay,
  returnUnitDay,
  approveUnitDay,
  amendUnitDay,
  estimateUnitDay,
  withdrawEstimate,
  takeSnapshot,
] as const;
