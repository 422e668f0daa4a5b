import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Day, Id, Instant, Nothing, Text, Version } from '../values.ts';
import {
  Beds,
  Counts,
  Estimate,
  FigureChange,
  Person,
  Population,
  ReasonCode,
  RuleCode,
  UnitDayCondition,
  UnitDayStatus,
} from './census.ts';
import { Denominator, FACILITY_CENSUS, FacilityDayParams } from './facility.ts';

export const FacilityDayStatus = z.enum(['open', 'approved', 'locked', 'reopened']);
export type FacilityDayStatus = z.infer<typeof FacilityDayStatus>;

/** What one unit and population brings into the facility's day. */
export const UnitOfDay = z.object({
  unit_id: Id,
  unit_code: z.string(),
  unit_name: z.string(),
  population: Population,
  counts_in_occupancy: z.boolean(),
  /** Null while nothing is stored. */
  status: z.nullable(UnitDayStatus),
  conditions: z.array(UnitDayCondition),
  version: z.int(),
  opening: z.nullable(z.int()),
  counts: Counts,
  closing: z.nullable(z.int()),
  present: z.nullable(z.int()),
  service_days: z.nullable(z.int()),
  beds: Beds,
  variance_reason: z.nullable(z.string()),
  /** By how many the head count differed when the reason was given, and who gave it. Left out by an older server. */
  variance_for: z.optional(z.nullable(z.int())),
  variance_by: z.optional(z.nullable(Person)),
  capacity_reason: z.nullable(z.string()),
  submitted_at: z.nullable(Instant),
  submitted_by: z.nullable(Person),
  is_on_time: z.nullable(z.boolean()),
  approved_by: z.nullable(Person),
  /** While the report is missing; none of the figures count it. */
  estimate: z.optional(z.nullable(Estimate)),
  discussion_chat_id: z.nullable(Id),
});
export type UnitOfDay = z.infer<typeof UnitOfDay>;

/** Patients who moved between two units, as each side counts them; over several days the sums of them. */
export const TransferCell = z.object({
  from_unit_id: Id,
  to_unit_id: Id,
  population: Population,
  out_count: z.nullable(z.int()),
  in_count: z.nullable(z.int()),
  /** By how many the two sides differ, of the days for which both have handed in; added day by day. */
  gap: z.int(),
});
export type TransferCell = z.infer<typeof TransferCell>;

/** Something that must be cured before the day can be signed. */
export const Blocker = z.object({
  code: RuleCode,
  unit_id: z.nullable(Id),
  unit_code: z.nullable(z.string()),
  partner_unit_id: z.nullable(Id),
  population: z.nullable(Population),
  message: z.string(),
});
export type Blocker = z.infer<typeof Blocker>;

/** One census date of a facility: all its units, what is missing, what blocks its signature. */
export const FacilityDay = z.object({
  facility_id: Id,
  census_date: Day,
  status: FacilityDayStatus,
  version: z.int(),
  time_zone: z.string(),
  census_at: Instant,
  due_at: Instant,
  sign_off_due_at: Instant,
  locks_at: Instant,
  /** Of which beds occupancy is a share. */
  denominator: Denominator,
  units_expected: z.int(),
  units_submitted: z.int(),
  units_on_time: z.int(),
  transfer_gap: z.int(),
  units: z.array(UnitOfDay),
  transfers: z.array(TransferCell),
  blockers: z.array(Blocker),
  /** Why a transfer gap was accepted. */
  override_reason: z.nullable(z.string()),
  reopen_reason: z.nullable(z.string()),
  signed_at: z.nullable(Instant),
  signed_by: z.nullable(Person),
  locked_at: z.nullable(Instant),
  /** Of the census log when the day was signed, in hexadecimal: what a printed sheet carries. */
  log_head: z.nullable(z.string()),
  may: z.object({ sign: z.boolean(), lock: z.boolean(), reopen: z.boolean(), approve: z.boolean() }),
});
export type FacilityDay = z.infer<typeof FacilityDay>;

export const getFacilityDay = endpoint({
  name: 'getFacilityDay',
  summary: 'A facility’s census date with its units, completeness and transfer gaps.',
  method: 'GET',
  path: `${FACILITY_CENSUS}/days/{date}`,
  access: 'signed-in',
  params: FacilityDayParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: FacilityDay,
});

/** A report as it stood when its day was signed. */
export const SignedUnit = z.omit(UnitOfDay, {
  ...{ conditions: true, estimate: true, discussion_chat_id: true },
  ...{ variance_for: true, variance_by: true },
});
export type SignedUnit = z.infer<typeof SignedUnit>;

/** All that a signature answers for. Its canonical JSON is what is hashed. */
export const SignedFigures = z.object({
  ...z.pick(FacilityDay, {
    facility_id: true,
    census_date: true,
    time_zone: true,
    denominator: true,
    transfer_gap: true,
    transfers: true,
    override_reason: true,
  }).shape,
  units: z.array(SignedUnit),
  signed_at: Instant,
  signed_by: z.nullable(Person),
});
export type SignedFigures = z.infer<typeof SignedFigures>;

/** What became of a signed report since: the figures that changed, when, by whom and why. */
export const SignedRestatement = z.object({
  unit_id: Id,
  unit_code: z.string(),
  population: Population,
  /** All three null where something was changed past the server, so that nobody knows. */
  at: z.nullable(Instant),
  by: z.nullable(Person),
  reason: z.nullable(z.string()),
  reason_code: z.nullable(z.string()),
  changes: z.array(FigureChange),
});
export type SignedRestatement = z.infer<typeof SignedRestatement>;

/**
 * Where the figures of a signed day are from. `stored`: kept with the signature. `rebuilt`: the day was signed before they were
 * kept; the kept versions of its reports give them exactly. `unknown`: they do not, and `changed`: what was kept is not what
 * the log tells of; then the figures are those of today.
 */
export const SignedSource = z.enum(['stored', 'rebuilt', 'unknown', 'changed']);
export type SignedSource = z.infer<typeof SignedSource>;

export const SignedDay = z.object({
  /** Null while the day is not signed. */
  signed: z.nullable(
    z.object({
      source: SignedSource,
      /** SHA-256 of the figures as they are stored (docs/census-log.md), as the log tells it; null where none was kept. */
      hash: z.nullable(z.string()),
      figures: SignedFigures,
      restatements: z.array(SignedRestatement),
    }),
  ),
  /** Signatures that do not hold any more, since the day was reopened; the newest first. */
  earlier: z.array(z.object({ signed_at: Instant, signed_by: z.nullable(Person), hash: z.string() })),
});
export type SignedDay = z.infer<typeof SignedDay>;

export const getSignedDay = endpoint({
  name: 'getSignedDay',
  summary: 'What a day said when it was signed, and what was restated since, by whom and why.',
  method: 'GET',
  path: `${FACILITY_CENSUS}/days/{date}/signed`,
  access: 'signed-in',
  params: FacilityDayParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: SignedDay,
});

export const signFacilityDay = endpoint({
  name: 'signFacilityDay',
  summary: 'Signs a complete day, and locks it if asked. A transfer gap needs the words that accept it.',
  method: 'POST',
  path: `${FACILITY_CENSUS}/days/{date}/sign`,
  access: 'signed-in',
  params: FacilityDayParams,
  query: Nothing,
  body: z.strictObject({
    client_id: Id,
    version: Version,
    lock: z.boolean(),
    override_reason: z.optional(z.nullable(Text(0, 500))),
    /** The facility's total as the signer has it from elsewhere, to be compared with the computed one. */
    total: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(99_999)))),
  }),
  status: 200,
  reply: FacilityDay,
});

export const lockFacilityDay = endpoint({
  name: 'lockFacilityDay',
  summary: 'Locks a signed day.',
  method: 'POST',
  path: `${FACILITY_CENSUS}/days/{date}/lock`,
  access: 'signed-in',
  params: FacilityDayParams,
  query: Nothing,
  body: z.strictObject({ client_id: Id, version: Version }),
  status: 200,
  reply: FacilityDay,
});

export const reopenFacilityDay = endpoint({
  name: 'reopenFacilityDay',
  summary: 'Reopens a signed or locked day, with a reason.',
  method: 'POST',
  path: `${FACILITY_CENSUS}/days/{date}/reopen`,
  access: 'signed-in',
  params: FacilityDayParams,
  query: Nothing,
  body: z.strictObject({ client_id: Id, version: Version, reason_code: ReasonCode, reason: Text(0, 500) }),
  status: 200,
  reply: FacilityDay,
});

export const censusDayEndpoints = [
  getFacilityDay,
  getSignedDay,
  signFacilityDay,
  lockFacilityDay,
  reopenFacilityDay,
] as const;
