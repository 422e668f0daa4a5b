import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { DateOrder, HourCycle } from '../facilities/facilities.ts';
import { ClockTime, TimeZone } from '../facilities/facility-settings.ts';
import { Day, Email, Id, Instant, Nothing, SeqQuery, Text, Version } from '../values.ts';
import { Count, Person, Population } from './census.ts';
import { Bands, Denominator, FACILITY_CENSUS, FacilityParams } from './facility.ts';

/** An act that a facility may split off from census.report_summary. */
export const SplitPermission = z.enum(['census.approve', 'census.reopen', 'census.import', 'census.export']);
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
  /** These three count with the clock, from the same census date on. */
  sign_off_time: z.string(),
  lock_after_days: z.int(),
  four_eyes: z.boolean(),
  denominator: Denominator,
  bands: Bands,
  /** Acts that ask for their own permission here; for the others census.report_summary is enough. */
  split_permissions: z.array(SplitPermission),
  /** From how many hours on a patient who waits for a bed is boarding. */
  boarding_hours: z.int(),
  /** Whether units are asked for the days that the discharged had stayed. */
  asks_discharge_days: z.boolean(),
  /** Entries of the log that are older lose their text and keep their hash; null keeps all of it. */
  log_retention_years: z.nullable(z.int()),
  /** Addresses that get the head of the log with each day that is signed. */
  log_head_emails: z.array(z.string()),
  /** The facility's own, for its chats as well. */
  hour_cycle: HourCycle,
  date_order: DateOrder,
  units: z.array(
    z.object({
      unit_id: Id,
      unit_code: z.string(),
      unit_name: z.string(),
      /** What kind of ward it is, in the words of the facility. */
      unit_kind: z.optional(z.string()),
      populations: z.array(Population),
      counts_in_census: z.boolean(),
      counts_in_occupancy: z.boolean(),
      hsloc: z.nullable(z.string()),
      safr_group: z.nullable(z.string()),
      active_from: z.nullable(Day),
      active_to: z.nullable(Day),
      /** Who reports for it; who may not report, for want of a role or an account in use, is told of nothing. */
      people: z.array(z.extend(Person, { may_report: z.optional(z.boolean()) })),
      beds: z.array(
        z.object({
          population: Population,
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
  path: `${FACILITY_CENSUS}/settings`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: CensusSettings,
});

export const updateCensusSettings = endpoint({
  name: 'updateCensusSettings',
  summary:
    'Changes how a facility takes its census; another hour, deadline or four eyes count from the next census date on.',
  method: 'PATCH',
  path: `${FACILITY_CENSUS}/settings`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: z.strictObject({
    version: Version,
    time_zone: z.optional(TimeZone),
    census_time: z.optional(ClockTime),
    grace_minutes: z.optional(z.int().check(z.gte(0), z.lte(1440))),
    sign_off_time: z.optional(ClockTime),
    lock_after_days: z.optional(z.int().check(z.gte(0), z.lte(366))),
    four_eyes: z.optional(z.boolean()),
    denominator: z.optional(Denominator),
    bands: z.optional(
      z.strictObject({
        target: z.int().check(z.gte(1), z.lte(200)),
        high: z.int().check(z.gte(1), z.lte(200)),
        full: z.int().check(z.gte(1), z.lte(200)),
      }),
    ),
    split_permissions: z.optional(z.array(SplitPermission).check(z.maxLength(4))),
    boarding_hours: z.optional(z.int().check(z.gte(0), z.lte(48))),
    asks_discharge_days: z.optional(z.boolean()),
    log_retention_years: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(100)))),
    log_head_emails: z.optional(z.array(Email).check(z.maxLength(5))),
    hour_cycle: z.optional(HourCycle),
    date_order: z.optional(DateOrder),
  }),
  status: 200,
  reply: CensusSettings,
});

const UnitCode = Text(1, 12);
const UnitName = Text(1, 80);
const UnitKind = Text(1, 40);

export const createCensusUnit = endpoint({
  name: 'createCensusUnit',
  summary: 'Adds a unit at the end; it reports from the census date under way on.',
  method: 'POST',
  path: `${FACILITY_CENSUS}/settings/units`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: z.strictObject({ version: Version, unit_code: UnitCode, unit_name: UnitName, unit_kind: UnitKind }),
  status: 201,
  reply: CensusSettings,
});

export const orderCensusUnits = endpoint({
  name: 'orderCensusUnits',
  summary: 'Puts the units of a facility in this order; all of them are named.',
  method: 'PUT',
  path: `${FACILITY_CENSUS}/settings/unit-order`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: z.strictObject({ version: Version, unit_ids: z.array(Id).check(z.maxLength(500)) }),
  status: 200,
  reply: CensusSettings,
});

/** The columns of a file of units; a unit may have several lines, one for each change of its beds. */
export const UNIT_COLUMNS = [
  'code',
  'name',
  'kind',
  'population',
  'from',
  'licensed',
  'physical',
  'staffed',
  'surge',
] as const;
export type UnitColumn = (typeof UNIT_COLUMNS)[number];

/** What an import makes of one line of a file of units. */
export const UnitRow = z.object({
  /** As a spreadsheet counts: the head is line 1. */
  line: z.int(),
  unit_code: z.nullable(z.string()),
  unit_name: z.nullable(z.string()),
  outcome: z.enum(['new', 'changed', 'unchanged', 'refused']),
  problems: z.array(z.object({ column: z.nullable(z.string()), code: z.string(), message: z.string() })),
});
export type UnitRow = z.infer<typeof UnitRow>;

export const importUnits = endpoint({
  name: 'importUnits',
  summary: 'Reads a CSV file of units and beds: a dry run unless apply=true; applied whole or not at all.',
  method: 'POST',
  path: `${FACILITY_CENSUS}/settings/unit-imports`,
  access: 'signed-in',
  params: FacilityParams,
  query: z.strictObject({ version: SeqQuery, apply: z.optional(z.enum(['true', 'false'])) }),
  body: Nothing,
  file: 'file',
  status: 200,
  reply: z.object({
    is_applied: z.boolean(),
    counts: z.object({ new: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() }),
    rows: z.array(UnitRow),
  }),
});

export const updateCensusUnit = endpoint({
  name: 'updateCensusUnit',
  summary: 'Changes what a unit reports and who reports for it; beds change from a date on.',
  method: 'PATCH',
  path: `${FACILITY_CENSUS}/settings/units/{unit}`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, unit: Id }),
  query: Nothing,
  body: z.strictObject({
    version: Version,
    /** Stays as it is once the unit has reported. */
    unit_code: z.optional(UnitCode),
    unit_name: z.optional(UnitName),
    unit_kind: z.optional(UnitKind),
    populations: z.optional(z.array(Population).check(z.minLength(1), z.maxLength(2))),
    counts_in_census: z.optional(z.boolean()),
    counts_in_occupancy: z.optional(z.boolean()),
    hsloc: z.optional(z.nullable(Text(1, 20))),
    safr_group: z.optional(z.nullable(Text(1, 40))),
    active_from: z.optional(z.nullable(Day)),
    active_to: z.optional(z.nullable(Day)),
    people: z.optional(z.array(Id).check(z.maxLength(200))),
    beds: z.optional(
      z.strictObject({
        population: Population,
        from: Day,
        licensed: Count,
        physical: Count,
        staffed: Count,
        surge: Count,
        reason: z.optional(z.nullable(Text(0, 200))),
      }),
    ),
    /** Takes planned beds back before they hold; those before them go on. */
    remove_beds: z.optional(z.strictObject({ population: Population, from: Day })),
  }),
  status: 200,
  reply: CensusSettings,
});

export const deleteCensusUnit = endpoint({
  name: 'deleteCensusUnit',
  summary:
    'Deletes a unit that was added by mistake; 422 says what of it is kept: reports, stays, on-call roles and the like.',
  method: 'DELETE',
  path: `${FACILITY_CENSUS}/settings/units/{unit}`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, unit: Id }),
  query: Nothing,
  body: z.strictObject({ version: Version }),
  status: 200,
  reply: CensusSettings,
});

export const censusSettingsEndpoints = [
  getCensusSettings,
  updateCensusSettings,
  createCensusUnit,
  orderCensusUnits,
  importUnits,
  updateCensusUnit,
  deleteCensusUnit,
] as const;
