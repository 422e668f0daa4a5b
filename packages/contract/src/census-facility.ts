import * as z from 'zod/mini';
import {
  Beds,
  CensusClass,
  Count,
  Counts,
  Estimate,
  ReasonCode,
  RuleCode,
  UnitDayCondition,
  UnitDayStatus,
} from './census.ts';
import { NursingSummary } from './census-nursing.ts';
import { endpoint } from './endpoint.ts';
import { Day, Email, Id, Instant, Nothing, Text } from './values.ts';

const Person = z.object({ id: Id, name: z.string() });
const facilityParams = z.strictObject({ facility: Id });
const facilityDayParams = z.strictObject({ facility: Id, date: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)) });
const base = '/api/census/facilities/{facility}';

export const FacilityDayStatus = z.enum(['open', 'approved', 'locked', 'reopened']);
export type FacilityDayStatus = z.infer<typeof FacilityDayStatus>;

/** What one unit and class brings into the facility's day. */
export const UnitOfDay = z.object({
  unit_id: Id,
  unit_code: z.string(),
  unit_name: z.string(),
  class: CensusClass,
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
  capacity_reason: z.nullable(z.string()),
  submitted_at: z.nullable(Instant),
  submitted_by: z.nullable(Person),
  is_on_time: z.nullable(z.boolean()),
  approved_by: z.nullable(Person),
  /** While the report is missing; none of the figures count it. */
  estimate: z.optional(z.nullable(Estimate)),
  thread_chat_id: z.nullable(Id),
});
export type UnitOfDay = z.infer<typeof UnitOfDay>;

/** Patients who moved between two units, as each side counts them; over several days the sums of them. */
export const TransferCell = z.object({
  from_unit_id: Id,
  to_unit_id: Id,
  class: CensusClass,
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
  class: z.nullable(CensusClass),
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
  path: `${base}/days/{date}`,
  access: 'signed-in',
  params: facilityDayParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: FacilityDay,
});

const Version = z.int().check(z.gte(0));

export const signFacilityDay = endpoint({
  name: 'signFacilityDay',
  summary: 'Signs a complete day, and locks it if asked. A transfer gap needs the words that accept it.',
  method: 'POST',
  path: `${base}/days/{date}/sign`,
  access: 'signed-in',
  params: facilityDayParams,
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
  path: `${base}/days/{date}/lock`,
  access: 'signed-in',
  params: facilityDayParams,
  query: Nothing,
  body: z.strictObject({ client_id: Id, version: Version }),
  status: 200,
  reply: FacilityDay,
});

export const reopenFacilityDay = endpoint({
  name: 'reopenFacilityDay',
  summary: 'Reopens a signed or locked day, with a reason.',
  method: 'POST',
  path: `${base}/days/{date}/reopen`,
  access: 'signed-in',
  params: facilityDayParams,
  query: Nothing,
  body: z.strictObject({ client_id: Id, version: Version, reason_code: ReasonCode, reason: Text(0, 500) }),
  status: 200,
  reply: FacilityDay,
});

/** One unit and class as the board shows it now. */
export const BoardUnit = z.object({
  unit_id: Id,
  unit_code: z.string(),
  unit_name: z.string(),
  class: CensusClass,
  counts_in_occupancy: z.boolean(),
  status: z.nullable(UnitDayStatus),
  conditions: z.array(UnitDayCondition),
  /** Present at the census hour, or as the newer snapshot says; null when this date has neither. */
  occupied: z.nullable(z.int()),
  /** Where `occupied` is from. */
  basis: z.nullable(z.enum(['report', 'snapshot'])),
  counted_at: z.nullable(Instant),
  beds: Beds,
  transfers_in: z.nullable(z.int()),
  transfers_out: z.nullable(z.int()),
  is_on_time: z.nullable(z.boolean()),
  /** The newest closed count before this date, for a unit that is missing. */
  last_known: z.nullable(z.object({ census_date: Day, present: z.int() })),
  /** While the report is missing; `occupied` never is one. */
  estimate: z.optional(z.nullable(Estimate)),
  /** Who reports for it. */
  people: z.array(Person),
  thread_chat_id: z.nullable(Id),
  /** Of a place without beds: who waits there for the board's boarding_hours or longer, by the patient system; null without one. */
  boarding_over: z.optional(z.nullable(z.int())),
});
export type BoardUnit = z.infer<typeof BoardUnit>;

/** How full is too full, in per cent of staffed beds. */
export const Bands = z.object({ target: z.int(), high: z.int(), full: z.int() });
export type Bands = z.infer<typeof Bands>;

/** Something that asks to be looked at, with the rule it comes from. */
export const CensusAlert = z.object({
  id: Id,
  rule: z.enum([
    'over_high',
    'over_staffed',
    'report_missing',
    'transfer_gap',
    'head_count_variance',
    'often_restated',
    'forecast_breach',
  ]),
  unit_id: z.nullable(Id),
  unit_code: z.nullable(z.string()),
  census_date: Day,
  message: z.string(),
  raised_at: Instant,
  acknowledged_at: z.nullable(Instant),
  acknowledged_by: z.nullable(Person),
  /** Since when it does not hold any more; left out in lists of those that do. */
  cleared_at: z.optional(z.nullable(Instant)),
});
export type CensusAlert = z.infer<typeof CensusAlert>;

export const getCensusBoard = endpoint({
  name: 'getCensusBoard',
  summary: 'Every unit of a facility as it is now, for the newest census date that has come.',
  method: 'GET',
  path: `${base}/board`,
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({
    facility_id: Id,
    census_date: Day,
    time_zone: z.string(),
    census_at: Instant,
    due_at: Instant,
    bands: Bands,
    boarding_hours: z.optional(z.int()),
    units: z.array(BoardUnit),
    alerts: z.array(CensusAlert),
  }),
});

export const getCensusAlert = endpoint({
  name: 'getCensusAlert',
  summary: 'One alert, and whether somebody takes care of it.',
  method: 'GET',
  path: `${base}/alerts/{alert}`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, alert: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: CensusAlert,
});

export const acknowledgeAlert = endpoint({
  name: 'acknowledgeAlert',
  summary: 'Says that somebody has seen an alert and takes care of it.',
  method: 'POST',
  path: `${base}/alerts/{alert}/acknowledge`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, alert: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: CensusAlert,
});

export const remindUnit = endpoint({
  name: 'remindUnit',
  summary: 'Asks the people of a unit for the report they owe, in its thread; at most every ten minutes.',
  method: 'POST',
  path: `${base}/days/{date}/remind`,
  access: 'signed-in',
  params: facilityDayParams,
  query: Nothing,
  body: z.strictObject({ unit_id: Id, class: CensusClass }),
  status: 200,
  reply: z.object({ thread_chat_id: Id }),
});

const rangeQuery = { from: Day, to: Day };

export const getCensusHeatmap = endpoint({
  name: 'getCensusHeatmap',
  summary: 'Service days and staffed beds of every unit on every day of a range of at most 400 days.',
  method: 'GET',
  path: `${base}/heatmap`,
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject(rangeQuery),
  body: Nothing,
  status: 200,
  reply: z.object({
    facility_id: Id,
    from: Day,
    to: Day,
    bands: Bands,
    /** The facility's days, one letter each: `o` open, `s` signed, `l` locked, `r` reopened. */
    days: z.optional(z.string()),
    units: z.array(
      z.object({
        unit_id: Id,
        unit_code: z.string(),
        unit_name: z.string(),
        class: CensusClass,
        counts_in_occupancy: z.boolean(),
        /** One entry a day from `from` on; null where nothing was handed in. */
        service_days: z.array(z.nullable(z.int())),
        present: z.array(z.nullable(z.int())),
        bed_days: z.array(z.nullable(z.int())),
        /** One letter a day: `-` not expected, `m` not in yet, `e` not in and estimated, `s` submitted, `a` approved, `l` locked. */
        marks: z.string(),
        /** What is estimated, by the day's index; in none of the numbers above. */
        estimates: z.optional(
          z.array(z.object({ index: z.int(), census: z.int(), by: z.string(), reason: z.string() })),
        ),
        /** Indices of the days that were restated. */
        restated: z.array(z.int()),
        late: z.array(z.int()),
      }),
    ),
  }),
});

/** Numerators and denominators of a period, to be divided last. Counts of patients, patient days and bed days. */
export const Sums = z.object({
  /** Calendar days of the period up to the newest census date that has come. */
  days: z.int(),
  units_expected: z.int(),
  units_reported: z.int(),
  units_on_time: z.int(),
  /** Sum of the closing counts: a stock summed over days, only ever shown divided by days. */
  census_days: z.int(),
  service_days: z.int(),
  /** Service days of the units that count in occupancy; the numerator over bed_days. */
  occupancy_service_days: z.int(),
  /** Beds of the facility's denominator (licensed, physical or staffed) of the reported unit-days that count in occupancy. */
  bed_days: z.int(),
  licensed_bed_days: z.int(),
  blocked_bed_days: z.int(),
  admissions: z.int(),
  births: z.int(),
  transfers_in: z.int(),
  transfers_out: z.int(),
  discharges: z.int(),
  deaths: z.int(),
  deaths_u48: z.int(),
  ad_same_day: z.int(),
  on_leave: z.int(),
  observation: z.int(),
  /** Days that the discharged patients had stayed; null where no source knows them. */
  discharge_days: z.nullable(z.int()),
});
export type Sums = z.infer<typeof Sums>;

const SumsByClass = z.object({ adult_child: Sums, newborn: Sums });
export type SumsByClass = z.infer<typeof SumsByClass>;

export const SUMMARY_STEPS = ['total', 'day', 'month', 'quarter', 'year'] as const;
export const SummaryStep = z.enum(SUMMARY_STEPS);
export type SummaryStep = z.infer<typeof SummaryStep>;

export const CensusSummary = z.object({
  facility_id: Id,
  from: Day,
  to: Day,
  by: SummaryStep,
  time_zone: z.string(),
  denominator: z.enum(['licensed', 'physical', 'staffed']),
  bands: Bands,
  total: SumsByClass,
  /** In time's order; a step that the range cuts is summed over its part in the range. */
  steps: z.array(z.object({ from: Day, to: Day, status: z.nullable(FacilityDayStatus), sums: SumsByClass })),
  units: z.array(
    z.object({
      unit_id: Id,
      unit_code: z.string(),
      unit_name: z.string(),
      class: CensusClass,
      counts_in_occupancy: z.boolean(),
      sums: Sums,
    }),
  ),
  /** Sums over the range. */
  transfers: z.array(TransferCell),
  overrides: z.array(z.object({ census_date: Day, transfer_gap: z.int(), reason: z.string(), by: z.nullable(Person) })),
  /** Unit-days that are missing, the newest first, at most 100. */
  missing: z.array(z.object({ unit_id: Id, unit_code: z.string(), class: CensusClass, census_date: Day })),
  /** Nursing hours per patient day, of the whole months in the range. */
  nursing: NursingSummary,
  restated_unit_days: z.int(),
  amended_since_signed: z.int(),
});
export type CensusSummary = z.infer<typeof CensusSummary>;

export const getCensusSummary = endpoint({
  name: 'getCensusSummary',
  summary:
    'Numerators and denominators of a range of at most 3,700 days (1,100 day by day), with completeness, steps, units and transfers.',
  method: 'GET',
  path: `${base}/summary`,
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ ...rangeQuery, by: z.optional(SummaryStep) }),
  body: Nothing,
  status: 200,
  reply: CensusSummary,
});

const ForecastPoint = z.object({ census_date: Day, value: z.number(), low: z.number(), high: z.number() });

/** What is expected of the coming days, and how wrong the same method was on the days before. */
export const ForecastSeries = z.object({
  /** Null for the facility as a whole, which is forecast by itself: the units need not add up to it. */
  unit_id: z.nullable(Id),
  unit_code: z.nullable(z.string()),
  class: CensusClass,
  beds: z.nullable(z.int()),
  /** Null where there is no forecast, with the reason. */
  method: z.nullable(z.enum(['seasonal_naive', 'holt_winters'])),
  absent_because: z.nullable(z.enum(['too_short', 'too_incomplete'])),
  history: z.array(z.object({ census_date: Day, present: z.nullable(z.int()) })),
  points: z.array(ForecastPoint),
  /** Mean absolute error one day ahead over the test days, in patients. */
  mae: z.nullable(z.number()),
  baseline_mae: z.nullable(z.number()),
  mase: z.nullable(z.number()),
  /** Share of the test days whose count lay inside the interval; the interval means to hold `interval`. */
  coverage: z.nullable(z.number()),
  interval: z.number(),
  test_days: z.int(),
});
export type ForecastSeries = z.infer<typeof ForecastSeries>;

export const getCensusForecast = endpoint({
  name: 'getCensusForecast',
  summary: 'The census of the next seven days for the facility and each unit, with its measured error.',
  method: 'GET',
  path: `${base}/forecast`,
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ facility_id: Id, from: Day, series: z.array(ForecastSeries) }),
});

/** An act that a facility may split off from census.report_summary. */
export const SplitPermission = z.enum([
  'census.approve',
  'census.reopen',
  'census.configure',
  'census.import',
  'census.export',
]);
export type SplitPermission = z.infer<typeof SplitPermission>;

/** How a facility takes its census. Dated things (hour, zone, beds) are added for days to come, never changed for past ones. */
export const CensusSettings = z.object({
  facility_id: Id,
  version: z.int(),
  time_zone: z.string(),
  /** HH:MM on the facility's clock; 00:00 is the end of the census date. */
  census_time: z.string(),
  grace_minutes: z.int(),
  /** The census date from which this clock counts; to come where a change is planned. */
  clock_from: Day,
  /** The last census date whose clock is fixed, and its count: another clock counts after both. */
  clock_fixed: z.object({ census_date: Day, census_at: Instant }),
  sign_off_time: z.string(),
  lock_after_days: z.int(),
  four_eyes: z.boolean(),
  denominator: z.enum(['licensed', 'physical', 'staffed']),
  bands: Bands,
  /** Acts that ask for their own permission here; for the others census.report_summary is enough. */
  split_permissions: z.array(SplitPermission),
  /** From how many hours on a patient who waits for a bed is boarding. */
  boarding_hours: z.int(),
  /** Entries of the log that are older lose their text and keep their hash; null keeps all of it. */
  log_retention_years: z.nullable(z.int()),
  /** Addresses that get the head of the log with each day that is signed. */
  log_head_emails: z.array(z.string()),
  units: z.array(
    z.object({
      unit_id: Id,
      unit_code: z.string(),
      unit_name: z.string(),
      classes: z.array(CensusClass),
      counts_in_census: z.boolean(),
      counts_in_occupancy: z.boolean(),
      hsloc: z.nullable(z.string()),
      safr_group: z.nullable(z.string()),
      active_from: z.nullable(Day),
      active_to: z.nullable(Day),
      people: z.array(Person),
      beds: z.array(
        z.object({
          class: CensusClass,
          from: Day,
          licensed: Count,
          physical: Count,
          staffed: Count,
          surge: Count,
          reason: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  may: z.object({ configure: z.boolean() }),
});
export type CensusSettings = z.infer<typeof CensusSettings>;

export const getCensusSettings = endpoint({
  name: 'getCensusSettings',
  summary: 'How a facility takes its census: hour, deadlines, bands, units, beds, people.',
  method: 'GET',
  path: `${base}/settings`,
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: CensusSettings,
});

const ClockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'This is not a time.'));

export const updateCensusSettings = endpoint({
  name: 'updateCensusSettings',
  summary: 'Changes how a facility takes its census; another hour or grace counts from the next census date on.',
  method: 'PATCH',
  path: `${base}/settings`,
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    version: Version,
    /** IANA name. */
    time_zone: z.optional(Text(1, 60)),
    census_time: z.optional(ClockTime),
    grace_minutes: z.optional(z.int().check(z.gte(0), z.lte(1440))),
    sign_off_time: z.optional(ClockTime),
    lock_after_days: z.optional(z.int().check(z.gte(0), z.lte(366))),
    four_eyes: z.optional(z.boolean()),
    denominator: z.optional(z.enum(['licensed', 'physical', 'staffed'])),
    bands: z.optional(
      z.strictObject({
        target: z.int().check(z.gte(1), z.lte(200)),
        high: z.int().check(z.gte(1), z.lte(200)),
        full: z.int().check(z.gte(1), z.lte(200)),
      }),
    ),
    split_permissions: z.optional(z.array(SplitPermission).check(z.maxLength(5))),
    boarding_hours: z.optional(z.int().check(z.gte(0), z.lte(48))),
    log_retention_years: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(100)))),
    log_head_emails: z.optional(z.array(Email).check(z.maxLength(5))),
  }),
  status: 200,
  reply: CensusSettings,
});

export const updateCensusUnit = endpoint({
  name: 'updateCensusUnit',
  summary: 'Changes what a unit reports and who reports for it; beds change from a date on.',
  method: 'PATCH',
  path: `${base}/settings/units/{unit}`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, unit: Id }),
  query: Nothing,
  body: z.strictObject({
    version: Version,
    classes: z.optional(z.array(CensusClass).check(z.minLength(1), z.maxLength(2))),
    counts_in_census: z.optional(z.boolean()),
    counts_in_occupancy: z.optional(z.boolean()),
    hsloc: z.optional(z.nullable(Text(1, 20))),
    safr_group: z.optional(z.nullable(Text(1, 40))),
    active_from: z.optional(z.nullable(Day)),
    active_to: z.optional(z.nullable(Day)),
    people: z.optional(z.array(Id).check(z.maxLength(200))),
    beds: z.optional(
      z.strictObject({
        class: CensusClass,
        from: Day,
        licensed: Count,
        physical: Count,
        staffed: Count,
        surge: Count,
        reason: z.optional(z.nullable(Text(0, 200))),
      }),
    ),
  }),
  status: 200,
  reply: CensusSettings,
});

export const censusFacilityEndpoints = [
  getFacilityDay,
  signFacilityDay,
  lockFacilityDay,
  reopenFacilityDay,
  remindUnit,
  getCensusBoard,
  getCensusAlert,
  acknowledgeAlert,
  getCensusHeatmap,
  getCensusSummary,
  getCensusForecast,
  getCensusSettings,
  updateCensusSettings,
  updateCensusUnit,
] as const;
